import { asPartner, asTool, defineTool, MemoryCache, MemoryPauses } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { takeBlocks } from '../src/metadata-blocks.ts';
import { ReportStream } from '../src/report-stream.ts';
import { agent, inItsTime, start, walk } from './support/walk.ts';

const to = (name: string) => ({ name: 'router__handoff-to', input: { agent: name } });

describe('stop leaves the last word to whoever answers', () => {
  for (const kind of ['handoff', 'router'] as const)
    test(kind, async () => {
      let begin = () => {};
      const began = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const slow = defineTool({
        name: 'slow',
        description: 'd',
        inputSchema: { type: 'object' },
        execute: (_args, { signal }) =>
          new Promise<string>((_resolve, reject) => {
            begin();
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      });
      const edit = agent('edit', (_request, n) => (n === 1 ? { calls: [{ name: 'slow', input: {} }] } : 'Summed up.'), {
        tools: [slow],
      });
      const partner = asPartner(edit);
      const lead =
        kind === 'handoff'
          ? agent('lead', ['Draft.'], { handoff: [partner] })
          : agent('lead', [{ calls: [to('edit')] }], { router: { destinations: [partner] } });
      const run = start(lead);
      await began;
      run.stop();
      expect(await inItsTime(run.clock, run.outcome)).toMatchObject({
        status: 'partial',
        limit: 'stop',
        text: 'Summed up.',
      });
    });
});

test('no turn is held back for who says no more', async () => {
  const lead = agent('lead', ['Draft.'], { handoff: [asPartner(agent('edit', ['Edited.']))], budget: { turns: 3 } });
  expect((await walk(lead)).outcome).toMatchObject({ status: 'completed', text: 'Edited.' });
});

test('a hand-over beside a call that asks a person stands', async () => {
  const ports = fakePorts({ clock: new FakeClock(), pauses: new MemoryPauses() });
  const desk = () => {
    const asker = agent(
      'asker',
      ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'asked' : { calls: [{ name: 'ask_user', input: { question: 'q?' } }] },
      { ask: 'person' },
    );
    return agent('desk', [{ calls: [to('bills'), { name: 'agent__asker', input: { text: 'x', reason: 'r' } }] }], {
      router: { destinations: [asPartner(agent('bills', ['Paid.']))] },
      tools: [asTool(asker)],
    });
  };
  const { outcome } = await walk(desk(), 'go', { ports });
  if (outcome.status !== 'needs_user_input') throw outcome;
  const { outcome: end } = await walk(desk(), 'yes', { ports, resume: outcome.resume });
  expect(end).toMatchObject({ status: 'completed', text: 'Paid.' });
});

test('an answer with metadata is given again', async () => {
  const clock = new FakeClock();
  const ports = fakePorts({ clock, cache: new MemoryCache(clock) });
  const one = agent('a', ['R. <ai-agent-abcd-META plugin="p">{}</ai-agent-abcd-META>'], {
    cache: { ttlMs: 1e6 },
    plugins: [{ name: 'p', requirements: { schema: {}, instructions: 'i' }, onComplete() {} }],
  });
  await walk(one, 'go', { ports, sessionId: 'one' });
  expect((await walk(one, 'go', { ports, sessionId: 'two' })).outcome).toMatchObject({ text: 'R.', isCached: true });
});

test('a run of a plugin that could not be made hurts nobody', async () => {
  const unhandled: unknown[] = [];
  const hear = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', hear);
  const one = agent('a', ['R. <ai-agent-abcd-META plugin="p">{}</ai-agent-abcd-META>'], {
    plugins: [
      {
        name: 'p',
        requirements: { schema: {}, instructions: 'i' },
        async onComplete({ createSession }) {
          void createSession({ name: 'bad' } as never, 'x');
          await new Promise((resolve) => setTimeout(resolve, 20));
        },
      },
    ],
  });
  await walk(one);
  await new Promise((resolve) => setTimeout(resolve, 60));
  process.off('unhandledRejection', hear);
  expect(unhandled).toEqual([]);
});

test('metadata tags cost no more than their length', () => {
  const began = performance.now();
  takeBlocks(`<ai-agent-${'META.'.repeat(100_000)}`);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('a tag that is not closed holds back no more than its bound', () => {
  const stream = new ReportStream();
  let given = stream.push('Inside <ai-agent-abcd-FINAL> I write. ');
  for (let i = 0; i < 20_000; i++) given += stream.push('word ');
  expect(given.length).toBeGreaterThan(90_000);
});

test('what comes with a request reaches partners as it is', async () => {
  const data = 'https://b.s3.amazonaws.com/x.png?X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20260101';
  const next = agent('next', ['N']);
  await walk(agent('lead', ['L'], { handoff: [asPartner(next)] }), 'go', {
    attachments: [{ type: 'file', mediaType: 'image/png', data }],
  });
  expect(JSON.stringify(next.model.requests[0]?.messages)).toContain(data);
});

test('a batch is no longer than its model takes', async () => {
  const tool = defineTool({
    name: 't',
    description: 'd',
    inputSchema: { type: 'object' },
    execute: () => '\u0001"\\\n'.repeat(3_000),
  });
  const calls = Array.from({ length: 9 }, (_, i) => ({ id: `${i}`, tool: 't', parameters: {} }));
  const one = agent('a', [{ calls: [{ name: 'agent__batch', input: { calls } }] }, 'fine'], {
    tools: [tool],
    batch: true,
    limits: { contextWindowTokens: 16_000, contextBufferTokens: 4_000 },
  });
  await walk(one);
  const told = one.model.requests[1]?.messages.find(({ role }) => role === 'tool');
  expect(told?.role === 'tool' && told.content[0]?.text.length).toBeLessThan(60_000);
});

test('what is nested too deep is said back, and ends nothing', async () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  for (const [name, input] of [
    ['agent__batch', `{"calls":[{"id":"1","tool":"t","parameters":{"a":${deep}}}]}`],
    ['agent__task_status', `{"status":"done","now":"x","done":${deep}}`],
  ] as const) {
    const one = agent('a', [{ calls: [{ name, input: input as never }] }, 'fine'], { batch: true });
    expect((await walk(one)).outcome).toMatchObject({ status: 'completed', text: 'fine' });
  }
});

test('a name in a batch that looks like a key is not shown', async () => {
  const key = `sk-ant-api03-${'aB3dE6gH9jK2'.repeat(8)}-abcdefAA`;
  const calls = [{ name: 'agent__batch', input: { calls: [{ id: '1', tool: key, parameters: {} }] } }];
  const { events } = await walk(agent('a', [{ calls }, 'fine'], { batch: true }));
  expect(JSON.stringify(events)).not.toContain(key);
});
