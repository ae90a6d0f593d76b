// The promise: a plugin is told of every report when its session is over; whatever it does then, the outcome stands.
import {
  type Agent,
  asTool,
  type PluginWork,
  pluginTime,
  type ReportCompletion,
  type ReportPlugin,
} from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keys } from './support/keys.ts';
import { agent, inItsTime, nextTick, start, strictRuntime, walk } from './support/walk.ts';

const block = '<ai-agent-x-META plugin="mood">{"mood":"calm"}</ai-agent-x-META>';
const requirements = { schema: { type: 'object', required: ['mood'] }, instructions: 'Say how it feels.' };

const pluginOf = (onComplete: ReportPlugin['onComplete'], name = 'mood'): ReportPlugin => ({
  name,
  requirements,
  onComplete,
});

/** Runs it, and waits for its plugins. */
async function watch(one: Agent, options: Parameters<typeof walk>[2] = {}) {
  const clock = new FakeClock();
  const works: PluginWork[] = [];
  const ports = fakePorts({ clock, plugins: (work) => works.push(work) });
  const run = start(one, 'How are you?', { ports, ...options });
  const outcome = await inItsTime(clock, run.outcome);
  const { events } = run;
  const wrong = await inItsTime(clock, Promise.all(works.map(({ done }) => done)));
  return { outcome, events, works, wrong, clock };
}

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);
process.on('unhandledRejection', onRejection);
afterEach(async () => {
  await nextTick();
  expect(rejections).toEqual([]);
});

describe('what it is told', () => {
  test('of a completed session, after its last fact', async () => {
    const told: ReportCompletion[] = [];
    const facts: string[] = [];
    const mood = pluginOf((completion) => {
      told.push(completion);
      facts.push('plugin');
    });
    const { outcome } = await watch(agent('desk', [`Fine. ${block}`], { plugins: [mood] }), {
      onFact: ({ type }) => facts.push(type),
    });
    expect(facts.slice(-2)).toEqual(['session-end', 'plugin']);
    const { createSession, messages, ...rest } = told[0] as ReportCompletion;
    expect(rest).toEqual({
      sessionId: 's1',
      originId: 's1',
      agentId: 'desk',
      agentPath: 'desk',
      userRequest: 'How are you?',
      finalReport: { format: 'text', content: 'Fine.', metadata: { mood: { mood: 'calm' } }, ts: outcome.endedAt },
      pluginData: { mood: 'calm' },
      fromCache: false,
    });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect(createSession).toBeTypeOf('function');
  });

  test('a JSON report as data; a partial one too; what was wrong when there is no metadata', async () => {
    const told: ReportCompletion[] = [];
    const mood = pluginOf((completion) => void told.push(completion));
    const output = { format: 'json', schema: { type: 'object' } } as const;
    await watch(agent('desk', () => `{"n": 1} ${block.replace('mood":', 'mod":')}`, { plugins: [mood], output }));
    expect(told[0]).toMatchObject({
      finalReport: { format: 'json', content: '{"n":1}', content_json: { n: 1 } },
      problems: ['the value lacks "mood"'],
    });
    expect(told[0]).not.toHaveProperty('pluginData');
    await watch(agent('desk', [{ text: 'Half', finishReason: 'length' }], { plugins: [mood] }));
    expect(told[1]).toMatchObject({ finalReport: { content: 'Half' }, problems: ['it is missing'] });
    // What was said with a call is no report.
    const tools = [{ name: 'tick', inputSchema: { type: 'object' }, execute: () => 'tock' }];
    const script = [{ text: block.replace('mood":', 'mod":'), calls: [{ name: 'tick' }] }, 'Done.'];
    await watch(agent('desk', script, { plugins: [mood], tools, limits: { maxRepairs: 0 } }));
    expect(told[2]).toMatchObject({ finalReport: { content: 'Done.' }, problems: ['it is missing'] });
  });

  test.each(['constructor', 'toString'])('that there is none, also when it is called %s', async (name) => {
    const told: ReportCompletion[] = [];
    const one = agent('desk', [`Fine. ${block}`], {
      plugins: [pluginOf(() => {}), pluginOf((completion) => void told.push(completion), name)],
      limits: { maxRepairs: 0 },
    });
    await watch(one);
    expect(told).toMatchObject([{ problems: ['it is missing'] }]);
  });

  test('nothing of a failed or cancelled session', async () => {
    const onComplete = vi.fn();
    const one = agent('desk', [{ fail: { code: 'model-auth' } }], { plugins: [pluginOf(onComplete)] });
    expect((await watch(one)).outcome.status).toBe('failed');
    const never = agent('desk', [{ until: new Promise(() => {}) }], { plugins: [pluginOf(onComplete)] });
    const run = start(never);
    await nextTick();
    run.cancel();
    expect((await run.outcome).status).toBe('cancelled');
    await nextTick();
    expect(onComplete).not.toHaveBeenCalled();
  });

  test('of a sub-agent, while its caller goes on; the caller reads nothing of the metadata', async () => {
    const told: ReportCompletion[] = [];
    const child = agent('child', [`Deep. ${block}`], { plugins: [pluginOf((one) => void told.push(one))] });
    const lead = agent('lead', [{ calls: [{ name: 'agent__child', input: { text: 'dig', reason: 'r' } }] }, 'Done.'], {
      tools: [asTool(child)],
    });
    const { outcome } = await watch(lead);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ agentPath: 'lead:child', originId: 's1', userRequest: 'dig' });
    expect(JSON.stringify(lead.model.requests[1])).toContain('Deep.');
    expect(JSON.stringify(lead.model.requests[1])).not.toContain('META');
    expect(JSON.stringify(outcome.tree)).toContain('"metadata":{"mood":{"mood":"calm"}}');
    expect(outcome).not.toHaveProperty('metadata');
  });

  test('no secret, and nobody who looks on sees one in metadata', async () => {
    const told: unknown[] = [];
    const [known, shaped] = ['canary-0123456789', keys.openai ?? ''];
    const says = block.replace('"calm"', JSON.stringify([known, shaped]));
    const { outcome, events } = await watch(
      agent('desk', [`Fine. ${says}`], { plugins: [pluginOf((one) => void told.push(one))] }),
      { envOverlay: { MY_API_KEY: known } },
    );
    const shown = JSON.stringify([told, outcome, outcome.tree, events]);
    expect([shown.includes(known), shown.includes(shaped)]).toEqual([false, false]);
    expect(told).toMatchObject([{ pluginData: { mood: ['***', '***'] } }]);
  });
});

describe('what it does', () => {
  const fine = { status: 'completed', text: 'Fine.' };
  const script = [`Fine. ${block}`];

  test.each<[string, ReportPlugin['onComplete'], string]>([
    [
      'throws',
      () => {
        throw new TypeError('broken canary-0123456789');
      },
      'The plugin mood of desk failed: broken ***',
    ],
    ['rejects', () => Promise.reject(new RangeError('late')), 'The plugin mood of desk failed: late'],
    ['never ends', () => new Promise(() => {}), 'The plugin mood of desk failed: it was not done within 60 s'],
  ])('%s: the outcome is the same, it is said, and others go on', async (_, onComplete, said) => {
    const other = vi.fn();
    const plugins = [pluginOf(onComplete), pluginOf(other, 'other')];
    const { outcome, wrong, clock, works } = await watch(
      agent('desk', [`Fine. ${block}${block.replace('"mood"', '"other"')}`], { plugins }),
      { envOverlay: { MY_API_KEY: 'canary-0123456789' } },
    );
    expect(outcome).toMatchObject(fine);
    expect(wrong).toEqual([said, undefined]);
    expect(works).toMatchObject([{ plugin: 'mood', agentName: 'desk', sessionId: 's1' }, { plugin: 'other' }]);
    expect(other).toHaveBeenCalledOnce();
    expect(clock.timers).toBe(0);
  });

  test('nobody waits for it, and whoever is told of it may throw', async () => {
    const plugins = [pluginOf(() => new Promise(() => {}))];
    const ports = fakePorts({
      plugins: () => {
        throw new TypeError('no');
      },
    });
    expect((await walk(agent('desk', script, { plugins }), 'go', { ports })).outcome).toMatchObject(fine);
  });

  test('begins when whoever is told of it says so, and has its whole time from there', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const begun = vi.fn(() => new Promise<void>(() => {}));
    const clock = new FakeClock();
    const works: PluginWork[] = [];
    const plugins = (work: PluginWork) => {
      works.push(work);
      work.startAfter(promise);
    };
    const { outcome } = await walk(agent('desk', script, { plugins: [pluginOf(begun)] }), 'go', {
      ports: fakePorts({ clock, plugins }),
    });
    expect(outcome).toMatchObject(fine);
    clock.advance(2 * pluginTime.workMs);
    await nextTick();
    expect(begun).not.toHaveBeenCalled();
    // However it ends: nobody is left waiting.
    reject(new RangeError('gone'));
    await nextTick();
    expect(begun).toHaveBeenCalledOnce();
    clock.advance(pluginTime.workMs - 1);
    await nextTick();
    expect(clock.timers).toBe(1);
    clock.advance(1);
    expect(await works[0]?.done).toContain('it was not done within 60 s');
  });

  test('what it changes in what it was told is its own', async () => {
    const plugins = [
      pluginOf((completion) => {
        (completion.messages as unknown[]).length = 0;
        (completion.finalReport as { content: string }).content = 'changed';
      }),
    ];
    const { outcome } = await watch(agent('desk', script, { plugins }));
    expect(outcome.conversations.s1).toHaveLength(3);
    expect(outcome).toMatchObject(fine);
  });
});

describe('createSession', () => {
  test('is a tree of its own on the same ports and variables', async () => {
    const heard: unknown[] = [];
    const helper = agent('helper', ['Noted.'], { instructions: ({ env }) => `Key ${env.PLACE}.` });
    const mood = pluginOf(async ({ createSession, pluginData }) => {
      heard.push(await createSession(helper, { pluginData: pluginData ?? null }));
    });
    const { outcome, wrong } = await watch(agent('desk', [`Fine. ${block}`], { plugins: [mood] }), {
      envOverlay: { PLACE: 'Athens' },
    });
    expect(wrong).toEqual([undefined]);
    expect(heard).toMatchObject([{ status: 'completed', text: 'Noted.', sessionId: 's2' }]);
    expect(helper.model.requests[0]).toMatchObject({ system: 'Key Athens.' });
    expect(JSON.stringify(helper.model.requests[0]?.messages)).toContain('{\\"pluginData\\":{\\"mood\\":\\"calm\\"}}');
    expect(outcome.usage.modelCalls).toBe(1);
  });

  test('belongs to the work of its plugin, and ends with the time of it', async () => {
    const statuses: string[] = [];
    const slow = agent('slow', [{ until: new Promise(() => {}) }]);
    const mood = pluginOf(({ createSession }) => {
      void createSession(slow, 'go').then(({ status }) => statuses.push(status));
    });
    const { wrong, clock } = await watch(agent('desk', [`Fine. ${block}`], { plugins: [mood] }));
    expect(wrong).toEqual([`The plugin mood of desk failed: it was not done within ${pluginTime.workMs / 1000} s`]);
    await inItsTime(
      clock,
      vi.waitUntil(() => statuses.length > 0),
    );
    expect(statuses).toEqual(['cancelled']);
  });

  test('an agent that is wrong is the mistake of the plugin', async () => {
    const mood = pluginOf(async ({ createSession }) => void (await createSession({ name: 'x' } as never, 'go')));
    const { outcome, wrong } = await watch(agent('desk', [`Fine. ${block}`], { plugins: [mood] }));
    expect(outcome.status).toBe('completed');
    expect(wrong[0]).toContain('instructions must be');
  });

  test('nor does one hurt that nobody waits for', async () => {
    const mood = pluginOf(async ({ createSession }) => {
      void createSession({ name: 'x' } as never, 'go');
      for (let i = 0; i < 3; i++) await nextTick();
    });
    const { wrong } = await watch(agent('desk', [`Fine. ${block}`], { plugins: [mood] }));
    expect(wrong).toEqual([undefined]);
  });
});

test('a session without plugins listens to nothing', async () => {
  onTestFinished(() => void process.off('unhandledRejection', onRejection));
  const { works } = await watch(agent('desk', ['Fine.']), { runtime: strictRuntime() });
  expect(works).toEqual([]);
});
