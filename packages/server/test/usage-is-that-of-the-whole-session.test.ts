// The promise: whoever is asked in between sees one call, and its result tells what the whole session has used, as REST does.

import { describe, expect, test } from 'vitest';
import { agentOf, lastResult } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';
import { type Reply, revisions, toolHouse } from './support/person-at-client.ts';

/** Asks twice, and says what it was told last. */
const curious = () =>
  agentOf(
    'curious',
    (request) => {
      const told = request.messages.filter(({ role }) => role === 'tool').length;
      return told < 2
        ? { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] }
        : (lastResult(request) ?? '');
    },
    { ask: 'person' },
  );

const accept: Reply = { action: 'accept', content: { answer: '1999' } };

describe.each(revisions)('in revision %s', (revision) => {
  test.each<[string, readonly Reply[], number]>([
    ['an answer', [accept, accept], 3],
    ['a question that is left open', [accept, { action: 'decline' }], 2],
  ])('%s', async (_what, replies, modelCalls) => {
    const left = [...replies];
    const client = await toolHouse(revision, [curious()]).connect({ person: () => left.shift() ?? accept });
    expect((await client.call('curious', { text: 'Go.' })).outcome).toMatchObject({ usage: { modelCalls } });
  });
});

test('also where the answers come as arguments', async () => {
  const app = mcpApp([curious()]);
  const client = await app.older();
  const call = async (args: Record<string, unknown>) => {
    const { _meta } = await client.callTool({ name: 'curious', arguments: args });
    return _meta?.['ai-agent/outcome'] as { readonly sessionId: string; readonly usage: unknown };
  };
  const { sessionId } = await call({ text: 'Go.' });
  await call({ resume: sessionId, answer: '1999' });
  const { usage } = await call({ resume: sessionId, answer: '1999' });
  const told = (await (await app.request(`/v1/sessions/${sessionId}`)).json()) as { readonly usage: unknown };
  expect(usage).toEqual(told.usage);
});
