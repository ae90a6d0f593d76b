// What callers get of a chain is what its last agent promises; a contract that a caller asks for is asked of that one alone.

import { asPartner, asTool } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const json = { format: 'json', schema } as const;

test('an extractor with a JSON contract hands its JSON on, and the text of the writer is the answer', async () => {
  const write = agent('write', ['There are two.']);
  const extract = agent('extract', ['{"n":2}'], { output: json, handoff: [asPartner(write)] });
  const { outcome } = await walk(extract);
  expect(outcome).toMatchObject({ status: 'completed', text: 'There are two.', format: 'text' });
  expect(outcome.report).toBe('There are two.');
  expect(JSON.stringify(write.model.requests[0]?.messages)).toContain('agent=\\"extract\\">\\n{\\"n\\":2}\\n');
});

test('a chain that ends with a JSON contract gives a report', async () => {
  const count = agent('count', ['{"n":3}'], { output: json });
  const { outcome } = await walk(agent('draft', ['Three.'], { handoff: [asPartner(count)] }));
  expect(outcome).toMatchObject({ status: 'completed', text: '{"n":3}', report: { n: 3 }, format: 'json' });
});

test('JSON that a caller asks for is asked of the last', async () => {
  const write = agent('write', ['There are two.', '{"n":2}']);
  const draft = agent('draft', ['Two.'], { handoff: [asPartner(write)] });
  const { outcome } = await walk(draft, 'go', { output: json });
  expect(outcome).toMatchObject({ status: 'completed', report: { n: 2 }, format: 'json' });
  expect(draft.model.requests).toHaveLength(1);
  expect(write.model.requests).toHaveLength(2);
});

test('the contract of a router holds for whoever answers in its place', async () => {
  const there = agent('there', ['Four of them.', '{"n":4}']);
  const desk = agent('desk', [{ calls: [{ name: 'router__handoff-to', input: { agent: 'there' } }] }], {
    output: json,
    router: { destinations: [asPartner(there)] },
  });
  const { outcome } = await walk(desk, 'How many?');
  expect(outcome).toMatchObject({ status: 'completed', report: { n: 4 } });
  expect(there.model.requests[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'How many?' }] }]);
});

test('as a sub-agent the chain answers its caller as any other does', async () => {
  const draft = agent('draft', ['Draft.'], { handoff: [asPartner(agent('edit', ['Edited.']))] });
  const lead = agent('lead', [{ calls: [{ name: 'agent__draft', input: { text: 'x', reason: 'r' } }] }, 'Done.'], {
    tools: [asTool(draft)],
  });
  const { outcome } = await walk(lead);
  expect(JSON.stringify(lead.model.requests[1]?.messages)).toContain('Edited.');
  expect(JSON.stringify(lead.model.requests[1]?.messages)).not.toContain('Draft.');
  expect(outcome.usage.modelCalls).toBe(4);
});

test('partners are told the conversation before and what came with the request; nothing of the agent between', async () => {
  const law = agent('law', ['Mind.']);
  const edit = agent('edit', ['Edited.']);
  const lead = agent('lead', ['Draft.'], {
    instructions: 'The secret recipe.',
    advisors: [asPartner(law)],
    handoff: [asPartner(edit)],
  });
  const picture = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const;
  const history = [
    { role: 'user', content: [{ type: 'text', text: 'Before?' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
  ] as const;
  await walk(lead, 'And now?', { history, attachments: [picture] });
  const [advised, edited] = [law, edit].map(({ model }) => model.requests[0]?.messages);
  expect(advised).toEqual([...history, { role: 'user', content: [{ type: 'text', text: 'And now?' }, picture] }]);
  expect(edited?.slice(0, 2)).toEqual(history);
  expect(edited).toHaveLength(3);
  expect(edited?.[2]).toMatchObject({ content: [{ text: expect.stringContaining('Draft.') }, picture] });
  expect(JSON.stringify([advised, edited])).not.toContain('recipe');
  expect(JSON.stringify(edited)).not.toContain('Mind.');
});

test('a partner with a JSON input contract is asked in words all the same', async () => {
  const edit = agent('edit', ['Edited.'], { input: json });
  const { outcome } = await walk(agent('draft', ['Draft.'], { handoff: [asPartner(edit)] }));
  expect(outcome).toMatchObject({ status: 'completed', text: 'Edited.' });
});
