// The promise: files as people bring them run on models over real HTTP, and every request says exactly what it should.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from './support/command.ts';
import { expectUpstream } from './support/corpus/expectation.ts';
import { corpus } from './support/corpus/files.ts';
import { openGateway } from './support/corpus/gateway.ts';
import { contracts } from './support/corpus/teams/contracts.ts';
import { operations } from './support/corpus/teams/operations.ts';
import { groups } from './support/corpus/teams/research.ts';
import { support } from './support/corpus/teams/support.ts';
import { writing } from './support/corpus/teams/writing.ts';

const runs = [...support, ...groups, ...operations, ...writing, ...contracts];

test.each(runs)('$name', async ({ name, args, script, stdout, stderr = '', code = 0, calls = [] }) => {
  const gateway = await openGateway(script);
  const home = await mkdtemp(join(tmpdir(), 'corpus-'));
  onTestFinished(async () => {
    await gateway.close();
    await rm(home, { recursive: true, force: true });
  });
  const ended = await run([...args, '-q'], { cwd: corpus, env: { HOME: home, GATEWAY_URL: gateway.url } });
  expect(ended).toEqual({ code, stdout, stderr });
  await expectUpstream(name, script, gateway);
  expect(gateway.calls.toSorted()).toEqual([...calls].sort());
});
