// The promise: whatever fails in a run, and wherever that is read, no client is told where files of the server are, what its programs
// write, or a stack trace; the code and the class stay.

import { type Agent, AgentError, type AgentErrorOptions, asTool, defineTool, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { hallOf, openHouse } from './support/house.ts';

const inside = /srv|bin|house|loader|node:internal|:\d+:\d+/;

/** As an MCP server says it that could not be started. */
const wrote =
  'The server x (command "/srv/house/bin/x") ended. It wrote: node:internal/modules/cjs/loader:1568 at f (/srv/house/a.js:1:2)';

function withoutTools(options: AgentErrorOptions = {}): Agent {
  const list = () => Promise.reject(new AgentError('tool-source-failed', wrote, options));
  return agentOf('fails', ['never'], { description: 'Fails.', tools: [{ list } as never] });
}

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  execute: () =>
    Promise.reject(new AgentError('tool-failed', "ENOENT, open 'file:///srv/house/x' C:\\srv\\x /srv/x:3:4")),
});

const once = { limits: { maxRetries: 1 } } as const;
const agents: readonly (readonly [string, string, Agent])[] = [
  ['tool-source-failed', 'config', withoutTools()],
  ['tool-source-failed', 'timeout', withoutTools({ class: 'timeout', remedy: 'Run /srv/house/bin/x by hand.' })],
  ['model-auth', 'auth', agentOf('fails', () => ({ fail: { code: 'model-auth', message: wrote } }), once)],
];

test.each(agents)('a run that fails: %s of class %s', async (code, kind, agent) => {
  const { get, start, ended, heard } = await openHouse(hallOf([agent]));
  const document = { accept: 'application/vnd.ai-agent+json' };
  const id = await start('fails');
  const told = [
    (await get('/v1/fails?q=a')).body.error,
    (await get('/v1/fails?q=a', document)).body.failure,
    (await ended(id)).failure,
  ];
  for (const failure of told) expect(failure).toMatchObject({ class: kind, code });
  const all = [
    ...told,
    await ended(id),
    await heard(id),
    (await get('/v1/fails?q=a', document)).body,
    (await get('/v1/fails?q=a', { accept: 'text/event-stream' })).body,
  ];
  for (const one of all) expect(JSON.stringify(one)).not.toMatch(inside);
});

test('a call that fails inside a run, and what its model was told of it', async () => {
  const calls = [
    { name: 'look', input: {} },
    { name: 'fails', input: { prompt: 'Go.', reason: 'To see.' } },
  ];
  const tools = [look, asTool(withoutTools()) as ToolOffer];
  const { start, ended, heard } = await openHouse(hallOf([agentOf('top', [{ calls }, 'Done.'], { tools })]));
  const id = await start('top');
  const session = await ended(id);
  expect([session.status, session.usage.failedCalls]).toEqual(['completed', 2]);
  const facts = await heard(id);
  const ends = facts.filter(({ event }) => event === 'tool-end').map(({ data }) => (data as { result: object }).result);
  expect(ends).toMatchObject([{ failure: { code: 'tool-failed' } }, { failure: { class: 'config' } }]);
  for (const one of [session, facts]) expect(JSON.stringify(one)).not.toMatch(inside);
});

test('addresses, and what a client said itself, stay as they are', async () => {
  const message = 'https://api.example/v1/chat/completions answered and/or http://127.0.0.1:8080/v1/a/b did';
  const agent = agentOf('fails', [{ fail: { code: 'model-auth', message } }], once);
  const { get } = await openHouse(hallOf([agent]));
  expect((await get('/v1/fails?q=a')).body.error.message).toContain(message);
  expect((await get('/srv/house/nothing')).body.error.message).toContain('/srv/house/nothing');
});
