// The promise: a file of SQLite keeps sessions as every store does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { openStore } from '../src/index.ts';
import { keepsSessions } from './support/store-contract.ts';

describe('in a file', () =>
  keepsSessions(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'));
    const store = await openStore(join(folder, 'sessions.sqlite'));
    onTestFinished(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });
    return store;
  }));
