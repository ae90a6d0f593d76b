// The promise: a PostgreSQL database keeps sessions as every store does.

import { describe, onTestFinished } from 'vitest';
import { openStore } from '../src/index.ts';
import { usePostgres } from './support/postgres.ts';
import { keepsAll } from './support/store-contract.ts';
import { forGood } from './support/store-process.ts';

const postgres = usePostgres();

describe('in a database', () =>
  keepsAll(async () => {
    const store = await openStore(await postgres().database(), forGood);
    onTestFinished(() => store.close());
    return store;
  }));
