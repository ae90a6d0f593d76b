// The promise: input that an agent refuses is refused before a session goes on with it: it stands as it did, and nobody hears of it later.

import { openStore } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { ask, defineAgent } from '../src/index.ts';
import { scriptedModel } from '../src/testing.ts';
import { agentFile, folderWith, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { desk, echo, saidIn } from './support/talk.ts';

const schema = { type: 'object', required: ['city'] } as const;

test('at the terminal', async () => {
  const input = ['models: local/m', 'input:', '  format: json', `  schema: ${JSON.stringify(schema)}`];
  const { cwd, model } = await desk(echo, { 'desk.ai': agentFile(input) });
  await run(['desk.ai', '{"city": "Paris"}'], { cwd });
  const [{ id = '' } = {}] = await headsIn(cwd);
  for (const args of [
    ['desk.ai', '--continue', 'Lyon'],
    ['sessions', 'resume', id, 'Lyon'],
  ]) {
    const { code, stderr } = await run(args, { cwd });
    expect([code, stderr]).toEqual([4, expect.stringContaining('The input of desk does not fit')]);
  }
  expect(await headsIn(cwd)).toMatchObject([{ id, status: 'completed', resumptions: 0 }]);
  await run(['desk.ai', '--continue', '{"city": "Rome"}'], { cwd });
  expect(model.requests.map(saidIn).at(-1)).toEqual(['{"city": "Paris"}', '{"city": "Rome"}']);
});

test('in a program', async () => {
  const store = await openStore(`${await folderWith({})}/sessions.sqlite`);
  const model = scriptedModel(() => 'Good day.');
  const agent = defineAgent({ name: 'desk', instructions: 'Answer.', model, input: { format: 'json', schema } });
  const { sessionId: session } = await ask(agent, { city: 'Paris' }, { store });
  const refused = ask(agent, { town: 'Lyon' }, { store, session });
  await expect(refused).rejects.toMatchObject({ code: 'session-input-invalid' });
  expect(await store.get(session)).toMatchObject({ status: 'completed', resumptions: 0 });
  await store.close();
});
