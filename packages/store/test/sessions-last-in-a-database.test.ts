// The promise: a PostgreSQL database keeps sessions as every store does.

import { describe, onTestFinished } from 'vitest';
import { openStore } from '../src/index.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';
import { keepsAll } from './support/store-contract.ts';

const postgres = usePostgres();

describe('in a database', () =>
  keepsAll(async () => {
    const store = await openStore(await postgres().database(), { retention: forEver });
    onTestFinished(() => store.close());
    return store;
  }));
