// The promise: a server outlives its log: where stderr takes nothing any more, requests are answered, and it ends as always.

import { closeSync, openSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { agentFile, folderWith } from './support/command.ts';
import { serving } from './support/serving.ts';

test('a disk that is full', async () => {
  const disk = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(disk));
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: offline/demo']) });
  const server = await serving(['serve', 'desk.ai', '--port', '0'], { cwd, stderr: disk });
  for (let i = 0; i < 3; i++) expect((await server.get('/v1/desk?q=hello')).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('a reader that went away', async () => {
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: offline/demo']) });
  const server = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  server.child.stderr?.destroy();
  for (let i = 0; i < 3; i++) expect((await server.get('/v1/desk?q=hello')).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});
