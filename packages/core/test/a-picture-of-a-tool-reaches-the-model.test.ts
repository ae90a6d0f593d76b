// Files of a result are part of the conversation: in the request, in every record, in what is kept and gone on with.

import {
  type Agent,
  AIAgentSession,
  asTool,
  conversationsOf,
  defineTool,
  type FilePart,
  inProcess,
  type JsonObject,
  journaled,
  MemoryJournal,
  MemoryPauses,
  type Message,
  type ModelRequest,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, start, walk } from './support/walk.ts';

const picture: FilePart = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=', name: 'cat.png' };

function camera(files: unknown, more: object = {}) {
  return defineTool({
    name: 'shoot',
    inputSchema: { type: 'object' },
    execute: () => ({ type: 'text', value: 'Click.', files, ...more }) as never,
  });
}

const script = [{ calls: [{ name: 'shoot' }, { name: 'shoot' }] }, 'A cat.'];

function resultsIn(messages: readonly Message[] | undefined) {
  return messages?.flatMap((message) => (message.role === 'tool' ? message.content : [])) ?? [];
}

function photographer(tool: ReturnType<typeof camera>, more: Partial<Agent> = {}) {
  const lead = agent('lead', script, { tools: [tool], ...more });
  const resultsAsked = () => resultsIn((lead.model.requests.at(-1) as ModelRequest).messages);
  return { lead, resultsAsked };
}

describe('a file of a result', () => {
  test('is in the next request, in the facts and in every conversation folded from them', async () => {
    const { lead, resultsAsked } = photographer(camera([picture]));
    const { outcome, events } = await walk(lead, 'go', { sessionId: 'run' });
    expect(outcome.text).toBe('A cat.');
    expect(resultsAsked()).toMatchObject([
      { text: 'Click.', files: [picture] },
      { text: 'Click.', files: [picture] },
    ]);
    expect(resultsIn(outcome.conversations.run)).toEqual(resultsAsked());
    expect(resultsIn(conversationsOf(events).run)).toEqual(resultsAsked());
    const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event] : []));
    expect(ends.map(({ bytesOut }) => bytesOut)).toEqual([15, 15]);
    expect(JSON.stringify(outcome.tree)).not.toContain(picture.data);
  });

  test('of a JSON answer too; an empty list is none', async () => {
    const json = photographer(camera([picture], { type: 'json', value: { ok: true } }));
    await walk(json.lead);
    expect(json.resultsAsked()[0]).toMatchObject({ text: '{"ok":true}', files: [picture] });
    const none = photographer(camera([]));
    await walk(none.lead);
    expect(none.resultsAsked()[0]).not.toHaveProperty('files');
  });

  test('is kept in a journal, and in a session that goes on after a question', async () => {
    const journal = new MemoryJournal();
    const runtime = journaled(inProcess, journal);
    const first = photographer(camera([picture]));
    await walk(first.lead, 'go', { runtime, sessionId: 'run' });
    const again = photographer(camera([]));
    const { outcome } = await walk(again.lead, 'go', {
      runtime: journaled(inProcess, new MemoryJournal(JSON.parse(JSON.stringify([...journal.entries])))),
      sessionId: 'run',
    });
    expect(resultsIn(outcome.conversations.run)[1]).toMatchObject({ files: [picture] });

    const pauses = new MemoryPauses();
    const ports = { ...fakePorts(), pauses };
    const steps = [
      { calls: [{ name: 'shoot' }] },
      { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
      'This one.',
    ];
    const asking: Agent = agent('lead', steps, { tools: [camera([picture])], ask: 'caller' });
    const paused = await walk(asking, 'go', { ports });
    if (paused.outcome.status !== 'needs_user_input') return expect.fail(paused.outcome.status);
    const resumed = await walk(asking, 'the first', {
      ports: { ...fakePorts(), pauses },
      resume: paused.outcome.resume,
    });
    expect(resumed.outcome.text).toBe('This one.');
    expect(resultsIn(Object.values(resumed.outcome.conversations)[0])[0]).toMatchObject({ files: [picture] });
  });

  test('goes on with whoever hands the conversation in, and with a child that is kept', async () => {
    const { lead } = photographer(camera([picture]));
    const { outcome } = await walk(lead, 'go', { sessionId: 'run' });
    const history = outcome.conversations.run?.filter(({ role }) => role !== 'system') ?? [];
    const later = scriptedModel(['Still a cat.']);
    await walk({ name: 'later', instructions: 'x', model: later }, 'And now?', { history });
    expect(resultsIn(later.requests[0]?.messages)[0]).toMatchObject({ files: [picture] });

    const child = agent('child', (request) => (request.messages.length > 1 ? 'seen' : { calls: [{ name: 'shoot' }] }), {
      tools: [camera([picture])],
      hold: 'kept',
    });
    const call = { calls: [{ name: 'child', input: { text: 'look', reason: 'r' } }] };
    await walk(agent('parent', [call, call, 'end'], { tools: [asTool(child)] }));
    expect(resultsIn(child.model.requests.at(-1)?.messages)[0]).toMatchObject({ files: [picture] });
  });

  test('of a history is checked like an attachment', () => {
    const part = { type: 'tool-result', id: 'a', name: 'shoot', text: '', isError: false, files: [{ type: 'file' }] };
    const history = [{ role: 'tool', content: [part] }] as never;
    const model = scriptedModel(['x']);
    expect(() => new AIAgentSession({ agent: { name: 'a', instructions: 'x', model }, history })).toThrow(
      'history[0].content[0].files[0].mediaType must be a text',
    );
  });
});

describe('what is no file is the mistake of the tool', () => {
  test.each([
    ['no list', 'cat.png', 'files must be a list'],
    ['no file', [{ ...picture, type: 'image' }], 'files[0] must be an object of type file'],
    ['no type', [picture, { ...picture, mediaType: 1 }], 'files[1].mediaType must be a text'],
    ['no data', [{ ...picture, data: '' }], 'files[0].data must be a text'],
    ['not base64', [{ ...picture, data: 'a cat — really' }], 'files[0].data is neither base64 nor an address'],
    ['an unknown key', [{ ...picture, size: 1 }], 'files[0].size is not known'],
    ['too many', Array.from({ length: 21 }, () => picture), 'has 21 files, and at most 20'],
    ['too large', [{ ...picture, data: 'A'.repeat(27_000_000) }], '20250000 bytes together, and at most 20000000'],
    ['too large in its address', [{ ...picture, data: `DATA:image/png;base64,${'A'.repeat(27_000_000)}` }], '20250016'],
    ['nothing but line breaks', [{ ...picture, data: '\n'.repeat(10) }], 'files[0].data is neither base64'],
    ['padded in the middle', [{ ...picture, data: 'iVBO=Rw0' }], 'files[0].data is neither base64'],
  ])('%s', async (_, files, message) => {
    const { lead, resultsAsked } = photographer(camera(files));
    await walk(lead);
    expect(resultsAsked()[0]).toMatchObject({ isError: true, text: expect.stringContaining(message) });
    expect(resultsAsked()[0]).not.toHaveProperty('files');
  });
});

test('base64 in lines is one line from then on', async () => {
  const { lead, resultsAsked } = photographer(camera([{ ...picture, data: '\r\niVBO\r\n\tRw0K\nGgo=\n' }]));
  await walk(lead);
  expect(resultsAsked()[0]).toMatchObject({ files: [{ ...picture, data: 'iVBORw0KGgo=' }] });
});

test('no data takes long to be refused', async () => {
  const began = performance.now();
  for (const data of [
    `${'\n'.repeat(100_000)}!`,
    `${'A\n'.repeat(50_000)}!`,
    `${'A'.repeat(100_000)}${'\n'.repeat(100_000)}!`,
  ]) {
    const { lead, resultsAsked } = photographer(camera([{ ...picture, data }]));
    await walk(lead);
    expect(resultsAsked()[0]).toMatchObject({ isError: true, text: expect.stringContaining('neither base64') });
  }
  expect(performance.now() - began).toBeLessThan(2_000);
});

describe('files and bounds', () => {
  test('a text that is too long is cut, its files stay', async () => {
    const { lead, resultsAsked } = photographer(camera([picture], { value: 'x'.repeat(1_000) }), {
      limits: { maxToolOutputBytes: 256 },
    });
    await walk(lead);
    expect(resultsAsked()[0]).toMatchObject({ text: expect.stringContaining('Cut here'), files: [picture] });
  });

  test('they count as tokens: the calls of a turn share the window, and a result without room loses its files', async () => {
    const takeTwo = async (contextWindowTokens: number) => {
      const limits = { contextWindowTokens, contextBufferTokens: 1_000 };
      const { lead, resultsAsked } = photographer(camera([picture, picture]), { limits });
      await walk(lead);
      return resultsAsked();
    };
    const fits = { text: 'Click.', files: [picture, picture] };
    expect(await takeTwo(12_000)).toMatchObject([fits, fits]);
    const small = await takeTwo(6_000);
    const cut = { text: 'Click.\n\n[Cut here: there is no room for the rest.]' };
    expect(small).toMatchObject([cut, cut]);
    for (const result of small) expect(result).not.toHaveProperty('files');
  });

  test('for a last word under a budget of tokens the oldest go first', async () => {
    const clock = new FakeClock();
    const { lead, resultsAsked } = photographer(camera([picture, picture]), { settings: { maxOutputTokens: 500 } });
    const { outcome } = start(lead, 'go', { ports: fakePorts({ clock }), budget: { tokens: 6_000 } });
    expect((await inItsTime(clock, outcome)).status).toBe('partial');
    const [first, second] = resultsAsked();
    expect(first).not.toHaveProperty('files');
    expect(second).toMatchObject({ files: [picture, picture] });
  });

  test('a large one is not searched for secrets, its name and its address are', async () => {
    const secret = 'correct-horse-battery';
    const large = { ...picture, data: Buffer.alloc(9_000_000, 7).toString('base64'), name: `${secret}.png` };
    const away = { ...picture, data: `https://host.test/a.png?token=${secret}` };
    const { lead } = photographer(camera([large, away]));
    const { events } = await walk(lead, 'go', { envOverlay: { API_TOKEN: secret } });
    const [end] = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
    expect(end?.files).toMatchObject([{ name: '***.png' }, { data: 'https://host.test/a.png?token=***' }]);
    expect(end?.files?.[0]?.data).toBe(large.data);
  });
});

describe('what only looks like a file is searched for secrets, however long', () => {
  const secret = 'correct-horse-battery';
  const words = `${'word '.repeat(4_000)}${secret}`;
  const dense = `${'word'.repeat(5_000)}correcthorsebattery`;

  test.each<[string, JsonObject, string]>([
    ['no file', { mediaType: 'text/plain', data: words }, secret],
    ['no file, of letters alone', { mediaType: 'text/plain', data: dense }, 'correcthorsebattery'],
    ['a file of words', { type: 'file', mediaType: 'text/plain', data: words }, secret],
    ['a file of lines', { type: 'file', mediaType: 'image/png', data: words.replaceAll(' ', '\n') }, secret],
    ['a file of no type', { type: 'file', mediaType: 1, data: dense }, 'correcthorsebattery'],
  ])('%s', async (_, value, hidden) => {
    const { lead } = photographer(camera([], { type: 'json', value }), { limits: { maxToolOutputBytes: 100_000 } });
    const { events, outcome } = await walk(lead, 'go', { envOverlay: { API_TOKEN: hidden } });
    expect(JSON.stringify([events, outcome])).not.toContain(hidden);
    expect(JSON.stringify(events)).toContain('***');
  });
});

test('what all tools of a server say is said once', async () => {
  const tool = (name: string, instructions: string) => ({ ...camera([]), name, instructions });
  const { lead } = photographer(camera([]), {
    tools: [tool('a', 'Be kind.'), tool('b', 'Be kind.'), tool('c', 'Be quick.')],
  });
  await walk({ ...lead, model: scriptedModel(['x']) }, 'go').then(({ outcome }) => {
    const [system] = Object.values(outcome.conversations)[0] ?? [];
    expect(system).toMatchObject({ text: expect.stringMatching(/Be kind\.\n\nBe quick\.\n\n/) });
    expect(JSON.stringify(system).match(/Be kind/g)).toHaveLength(1);
  });
});
