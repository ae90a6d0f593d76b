// The time of waiting for a person is nobody's: not the call's, not the budget's; and a question is one like any other.

import { type Agent, defineTool, type Question, runInside, sleep, type ToolContext } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start, walk } from './support/walk.ts';

type Options = NonNullable<Parameters<typeof start>[2]>;

function asking(execute: (context: ToolContext) => Promise<string>, more: object = {}) {
  const tool = defineTool({
    name: 'fetch',
    inputSchema: { type: 'object' },
    execute: (_args, context) => execute(context),
    ...more,
  });
  return (options: Partial<Agent> = {}) =>
    agent('lead', [{ calls: [{ name: 'fetch' }] }, 'done'], { tools: [tool], ...options });
}

const resultOf = (conversations: Readonly<Record<string, readonly { role: string }[]>>) =>
  JSON.stringify(Object.values(conversations).flatMap((messages) => messages.filter(({ role }) => role === 'tool')));

const colour = { text: 'Which colour?', choices: ['red', 'blue'] };

/** Whoever is asked answers after this long. */
function after(clock: FakeClock, ms: number, answer: unknown): NonNullable<Options['onQuestion']> {
  return () => new Promise((resolve) => void clock.after(ms, () => resolve(answer)));
}

describe('a question in the middle of a call', () => {
  test('reaches the person who answers for the run, and the answer the tool', async () => {
    const asked: Question[] = [];
    const lead = asking(async ({ ask }) => `they said ${await ask(colour)}`)();
    const onQuestion = (question: Question) => {
      asked.push(question);
      return 'blue';
    };
    const { outcome, events } = await walk(lead, 'go', { onQuestion, sessionId: 'run' });
    expect(resultOf(outcome.conversations)).toContain('they said blue');
    expect(asked).toEqual([
      {
        type: 'question',
        ...colour,
        to: 'person',
        handle: 'run/turn.1.tool.1.ask.1',
        agentName: 'lead',
        sessionId: 'run',
      },
    ]);
    const hints = events.flatMap((event) => (event.type === 'tool-progress' ? [event.text] : []));
    expect(hints).toEqual(['asks: Which colour?']);
    expect(events.some(({ type }) => type.startsWith('question'))).toBe(false);
  });

  test('is answered by its handle as well, and a wrong answer leaves it open', async () => {
    const lead = asking(async ({ ask }) => `they said ${await ask(colour)}`)();
    const { outcome, answer, clock } = start(lead, 'go', { onQuestion: () => undefined, sessionId: 'run' });
    const handle = 'run/turn.1.tool.1.ask.1';
    await until(() => isOpen(() => answer(handle, 'green')));
    answer(handle, 'red');
    expect(resultOf((await inItsTime(clock, outcome)).conversations)).toContain('they said red');
  });

  test('is asked again when the answer does not fit, three times in all', async () => {
    let times = 0;
    const lead = asking(async ({ ask }) => `they said ${await ask(colour)}`)();
    const { outcome } = await walk(lead, 'go', { onQuestion: () => `green ${++times}` });
    expect(times).toBe(3);
    expect(resultOf(outcome.conversations)).toContain('Nobody gave an answer that fits');
  });

  test('with a broken schema is the mistake of the tool', async () => {
    const lead = asking(async ({ ask }) => String(await ask({ text: 'Well?', schema: { type: 'nonsense' } })))();
    const { outcome } = await walk(lead, 'go', { onQuestion: () => 'x' });
    expect(resultOf(outcome.conversations)).toContain('schema of the question');
  });

  test('gets nothing when nobody is there', async () => {
    const lead = asking(async ({ ask }) => `they said ${await ask(colour)}`)();
    const { outcome, events } = await walk(lead);
    expect(resultOf(outcome.conversations)).toContain('they said undefined');
    expect(events.some(({ type }) => type === 'tool-progress')).toBe(false);
  });

  test('shows nobody a secret', async () => {
    const asked: string[] = [];
    const lead = asking(async ({ ask, env }) => `they said ${await ask({ text: `Is ${env.API_TOKEN} right?` })}`)();
    const onQuestion = ({ text }: Question) => {
      asked.push(text);
      return 'yes';
    };
    const { events } = await walk(lead, 'go', { onQuestion, envOverlay: { API_TOKEN: 'correct-horse-battery' } });
    expect(asked).toEqual(['Is *** right?']);
    expect(JSON.stringify(events)).not.toContain('correct-horse-battery');
  });
});

describe('the time of waiting', () => {
  const work = (clock: FakeClock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  test('is not that of the call, and what is left of it counts afterwards', async () => {
    const clock = new FakeClock();
    const options = { ports: fakePorts({ clock }), onQuestion: after(clock, 60_000, 'red') };
    const inTime = asking(
      async ({ ask }) => {
        await work(clock, 600);
        // Two at once stand still once, and go on when both are answered.
        await Promise.all([ask(colour), ask(colour)]);
        await work(clock, 300);
        return 'in time';
      },
      { timeoutMs: 1_000 },
    );
    const first = start(inTime(), 'go', options);
    expect(resultOf((await inItsTime(clock, first.outcome)).conversations)).toContain('in time');
    expect(clock.timers).toBe(0);
    const late = asking(
      async ({ ask, signal }) => {
        await work(clock, 600);
        await ask(colour);
        await sleep(clock, 500, signal);
        return 'in time';
      },
      { timeoutMs: 1_000 },
    );
    const second = start(late(), 'go', options);
    const startedAt = clock.now();
    expect(resultOf((await inItsTime(clock, second.outcome)).conversations)).toContain('not done within 1 s');
    expect(clock.now() - startedAt).toBe(61_000);
    expect(clock.timers).toBe(0);
  });

  test('is not that of the budget, neither of the session nor of those above', async () => {
    const clock = new FakeClock();
    const tool = async ({ ask }: ToolContext) => {
      await work(clock, 1_000);
      await ask(colour);
      await work(clock, 1_000);
      return 'asked';
    };
    const options = {
      ports: fakePorts({ clock }),
      onQuestion: after(clock, 600_000, 'red'),
      budget: { timeMs: 10_000 },
    };
    const { outcome } = start(asking(tool)(), 'go', options);
    expect((await inItsTime(clock, outcome)).status).toBe('completed');
    const greedy = async (context: ToolContext) => {
      await tool(context);
      await work(clock, 20_000);
      return 'never';
    };
    const stopped = start(asking(greedy)(), 'go', options);
    expect(await inItsTime(clock, stopped.outcome)).toMatchObject({ status: 'partial', limit: 'timeMs' });
  });

  test('of a session inside the call is not the call’s either', async () => {
    const clock = new FakeClock();
    const script = [{ calls: [{ name: 'ask_user', input: { question: 'Who?' } }] }, 'Ann'];
    const lead = asking(
      async (context) => (await runInside(agent('inner', script, { ask: 'person' }), 'go', { context })).text,
      {
        timeoutMs: 1_000,
      },
    );
    const { outcome } = start(lead(), 'go', { ports: fakePorts({ clock }), onQuestion: after(clock, 60_000, 'me') });
    expect(resultOf((await inItsTime(clock, outcome)).conversations)).toContain('Ann');
    expect(clock.timers).toBe(0);
  });
});

describe('a question ends with its call', () => {
  test('cancelled or stopped, nobody waits any more', async () => {
    for (const how of ['cancel', 'stop'] as const) {
      const asked: string[] = [];
      const lead = asking(async ({ ask }) => `they said ${await ask(colour)}`)();
      const run = start(lead, 'go', { onQuestion: ({ handle }) => void asked.push(handle) });
      await until(() => asked.length > 0);
      run[how]();
      const outcome = await inItsTime(run.clock, run.outcome);
      expect(outcome.status).toBe(how === 'cancel' ? 'cancelled' : 'partial');
      expect(() => run.answer(asked[0] as string, 'red')).toThrow('is open');
      expect(run.clock.timers).toBe(0);
    }
  });

  test('done without its answer, the question is closed; and none is asked later', async () => {
    let kept: ToolContext | undefined;
    const asked: string[] = [];
    const lead = asking(async (context) => {
      kept = context;
      void context.ask(colour);
      return nextTick().then(() => 'gone');
    })();
    const run = start(lead, 'go', { onQuestion: ({ handle }) => void asked.push(handle) });
    expect((await inItsTime(run.clock, run.outcome)).status).toBe('completed');
    expect(() => run.answer(asked[0] as string, 'red')).toThrow('is open');
    await expect(kept?.ask(colour)).rejects.toThrow('is over');
    expect(asked).toHaveLength(1);
  });
});

function isOpen(answer: () => void): boolean {
  try {
    answer();
  } catch (error) {
    return String(error).includes('none of');
  }
  return false;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTick();
}
