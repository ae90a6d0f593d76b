// The promise: a server that is killed after a grandchild has asked goes on, when it is started again, with the very session that asked,
// through every API.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serving } from './support/serving.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

const question = 'When do you want to be back?';
const user = (content: string) => ({ role: 'user', content });

function agentFile(name: string, more: string): string {
  return `---\ndescription: ${name} plans\nusage: "${question}"\nmodels: offline/demo\n${more}\n---\nYou plan a day out. Ask what you have to know.\n`;
}

interface Door {
  readonly ask: readonly [path: string, body: object];
  answer(asked: Read): readonly [path: string, body: object];
  sessionOf(reply: Read): string;
}

const ofModel = ({ ai_agent: about }: Read) => about.session_id;

const doors: Readonly<Record<string, Door>> = {
  REST: {
    ask: ['/v1/sessions', { agent: 'lead', input: question }],
    answer: ({ id }) => [`/v1/sessions/${id}/answer`, { answer: 'Before ten.' }],
    sessionOf: ({ id }) => id,
  },
  'chat completions': {
    ask: ['/v1/chat/completions', { model: 'lead', messages: [user(question)] }],
    answer: ({ choices }) => [
      '/v1/chat/completions',
      { model: 'lead', messages: [user(question), choices[0].message, user('Before ten.')] },
    ],
    sessionOf: ofModel,
  },
  responses: {
    ask: ['/v1/responses', { model: 'lead', input: question }],
    answer: ({ id }) => ['/v1/responses', { model: 'lead', input: 'Before ten.', previous_response_id: id }],
    sessionOf: ofModel,
  },
  messages: {
    ask: ['/v1/messages', { model: 'lead', max_tokens: 100, messages: [user(question)] }],
    answer: ({ content }) => [
      '/v1/messages',
      {
        model: 'lead',
        max_tokens: 100,
        messages: [user(question), { role: 'assistant', content }, user('Before ten.')],
      },
    ],
    sessionOf: ofModel,
  },
};

test('killed once each time it was asked', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-'));
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'lead.ai'), agentFile('lead', 'agents: middle.ai'));
  await writeFile(join(folder, 'middle.ai'), agentFile('middle', 'agents: grandchild.ai'));
  await writeFile(join(folder, 'grandchild.ai'), agentFile('grandchild', 'ask: person'));
  const start = () => serving(['serve', 'lead.ai', '--port', '0', '--store', 'sessions.sqlite'], { cwd: folder });
  const post = async (server: Awaited<ReturnType<typeof start>>, [path, body]: Door['ask']): Promise<Read> => {
    const headers = { 'content-type': 'application/json', accept: 'application/vnd.ai-agent+json' };
    return JSON.parse((await server.get(path, { method: 'POST', headers, body: JSON.stringify(body) })).text);
  };
  const read = async (server: Awaited<ReturnType<typeof start>>, id: string): Promise<Read> =>
    JSON.parse((await server.get(`/v1/sessions/${id}`)).text);
  let server = await start();
  for (const [name, { ask, answer, sessionOf }] of Object.entries(doors)) {
    const asked = await post(server, ask);
    const id = sessionOf(asked);
    await expect.poll(async () => (await read(server, id)).status, { timeout: 10_000 }).toBe('needs_user_input');
    const before = await read(server, id);
    server.child.kill('SIGKILL');
    await server.ended;
    server = await start();
    expect([name, (await read(server, id)).status]).toEqual([name, 'needs_user_input']);
    const answered = await post(server, answer(asked));
    expect([name, sessionOf(answered) === id || answered.sessionId === id]).toEqual([name, true]);
    await expect.poll(async () => (await read(server, id)).status, { timeout: 10_000 }).toBe('completed');
    const after = await read(server, id);
    // Each of the three had asked its model once before, and asks it once more.
    expect([name, before.usage.modelCalls, after.usage.modelCalls]).toEqual([name, 3, 6]);
  }
  server.child.kill('SIGKILL');
  await server.ended;
  await rm(folder, { recursive: true });
});
