// PostgreSQL for the tests of a file: one server for all of them, and a new database for whoever asks.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { PrivatePostgres } from './private-postgres.ts';

/** Where it is not installed the tests of the file are skipped, and say so; where everything has to be there they fail. */
export function usePostgres(): () => PrivatePostgres {
  let server: PrivatePostgres | undefined;
  const missing = 'PostgreSQL is not installed here: apt-get install postgresql brings it.';
  beforeAll(async () => {
    server = await PrivatePostgres.start();
    if (!server && process.env.CI) throw new Error(missing);
  }, 60_000);
  beforeEach(({ skip }) => {
    if (!server) skip(missing);
  });
  afterAll(() => server?.close());
  return () => {
    if (!server) throw new Error(missing);
    return server;
  };
}
