// The promise: no fact, hint, error, report or record of a tree shows a secret, and nothing that was kept or told to a model has a value of its variables.
import {
  AIAgentSession,
  agentTool,
  asTool,
  fail,
  inProcess,
  journaled,
  MemoryJournal,
  type Model,
  type ModelSource,
} from '@ai-agent/core';
import { type Script, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { calls, canary, expectHidden, forms, look, plainCanary, type Seen, says, withTool } from './support/seen.ts';
import { agent } from './support/walk.ts';

describe('a value of a variable that is named like a secret is not shown when it is in', () => {
  const both = `${canary} and ${plainCanary}`;
  const told: Readonly<Record<string, () => Promise<Seen>>> = {
    'an answer': () => look(agent('lead', [`It is ${both}.`])),
    'an address in an answer': () =>
      look(agent('lead', [`http://x.y/?k=${encodeURIComponent(canary)} ${plainCanary}`])),
    reasoning: () => look(agent('lead', [{ reasoning: both, text: 'done' }])),
    'the arguments of a call': () =>
      look(agent('lead', calls({ a: { [canary]: [plainCanary] } }), { tools: [says('')] })),
    'arguments that are no JSON': () => look(agent('lead', calls(`{"a": ${both}`), { tools: [says('')] })),
    'the name and id of a call': () =>
      look(
        agent('lead', [
          {
            calls: [
              { name: `look-${canary}`, id: plainCanary },
              { name: 'x', id: plainCanary },
            ],
          },
          'done',
        ]),
      ),
    'a result': () => look(agent('lead', calls(), { tools: [says(both)] })),
    'a result in JSON': () =>
      look(withTool(() => ({ type: 'json', value: { a: [{ [canary]: plainCanary }] }, summary: both }))),
    'a long result': () => look(withTool(() => `${both} `.repeat(2000))),
    'a failure of a tool': () => look(withTool(() => fail(both, { remedy: both, text: both }))),
    'a long failure of a tool': () => look(withTool(() => fail(`${both} `.repeat(2000)))),
    'what a tool throws': () => look(withTool(() => Promise.reject(new TypeError(both)))),
    'much that a tool throws': () => look(withTool(() => Promise.reject(new TypeError(`${both} `.repeat(2000))))),
    'how far a tool is': () =>
      look(
        withTool((_, context) => {
          context.progress(both);
          return 'ok';
        }),
      ),
    'failures of a model': () =>
      look(
        agent('lead', [
          { fail: { code: 'model-unavailable', message: both } },
          { fail: { code: 'model-auth', message: both } },
        ]),
      ),
    'a failure that another try mended': () =>
      look(agent('lead', [{ fail: { code: 'model-unavailable', message: both } }, 'done'])),
    'what a model throws': () => look({ ...agent('lead', []), model: broken(both) }),
    'why tools cannot be listed': () =>
      look(agent('lead', ['done'], { tools: [{ list: () => Promise.reject(new TypeError(both)) }] })),
    'why there are no instructions': () =>
      look(
        agent('lead', ['done'], {
          instructions: () => {
            throw new TypeError(both);
          },
        }),
      ),
    'the instructions': () =>
      look(agent('lead', ['done'], { instructions: (context) => `Use ${context.env.MY_API_KEY} ${plainCanary}` })),
    'a question': () =>
      look(
        agent('lead', [{ calls: [{ name: 'ask_user', input: { question: both, choices: [both] } }] }], {
          ask: 'person',
        }),
      ),
    'what led to a question': () =>
      look(agent('lead', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }], { ask: 'person' }), both),
    'what a tool is for': () => look(agent('lead', ['***'], { tools: [{ ...says(''), description: both }] })),
    'what a layer answers': () =>
      look(
        agent('lead', calls(), {
          tools: [says('')],
          middleware: [{ name: 'answers', perform: { tool: async () => ({ status: 'ok', text: both }) } }],
        }),
      ),
    'a long result that is made of a session': () => {
      const tool = agentTool({
        name: 'below',
        description: 'Works',
        createSession: () => new AIAgentSession({ agent: agent('below', ['ok']) }),
        mapResult: () => `${both} `.repeat(2000),
      });
      return look(
        agent('lead', [{ calls: [{ name: tool.name, input: { text: 'x', reason: 'y' } }] }, 'done'], { tools: [tool] }),
      );
    },
    'a report': () =>
      look(
        agent('lead', [JSON.stringify({ [canary]: [plainCanary] })], {
          output: { format: 'json', schema: { type: 'object' } },
        }),
      ),
    'a reply that is sent back': () =>
      look(agent('lead', [both, '{"a":1}'], { output: { format: 'json', schema: { type: 'object' } } })),
    'what only a provider understands': () => look({ ...agent('lead', []), model: binding(canary, plainCanary) }),
    'an answer of a person': () =>
      look(
        agent('lead', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }, 'done'], { ask: 'person' }),
        'go',
        {
          onQuestion: () => both,
        },
      ),
    'why nobody could be asked': () =>
      look(
        agent('lead', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }, 'done'], { ask: 'person' }),
        'go',
        {
          onQuestion: () => Promise.reject(new TypeError(both)),
        },
      ),
  };

  test.each(Object.entries(told))('%s', async (_, tell) => expectHidden(await tell()));

  test('a prompt, which its model gets as it is', async () => {
    const lead = agent('lead', ['done']);
    const { shown } = await look(lead, `Use ${both}`);
    for (const form of forms(canary)) expect(shown).not.toContain(form);
    expect(JSON.stringify(lead.model.requests)).toContain(plainCanary);
  });

  test('the conversation of a session below, and of one below that, kept or not', async () => {
    const leaf = agent('leaf', [`leaf ${canary}`, `leaf again ${canary}`], { hold: 'kept' });
    const twice: Script = (_, call) =>
      call % 2 ? { calls: [{ name: 'agent__leaf', input: { text: both, reason: both } }] } : both;
    const middle = agent('middle', twice, { tools: [asTool(leaf)], hold: 'kept' });
    const ask = { calls: [{ name: 'agent__middle', input: { text: both, reason: both } }] };
    const seen = await look(agent('lead', [ask, ask, both], { tools: [asTool(middle)] }));
    expectHidden(seen);
    expect(Object.keys(seen.outcome.conversations)).toHaveLength(5);
  });

  test('what a session below has for its own, from when it begins', async () => {
    const below = agent('below', ['x'], { instructions: ({ env: own }) => `Use ${own.OTHER_SECRET}` });
    const tool = asTool(below, { envOverlay: { OTHER_SECRET: 'canary-of-the-child' } });
    const lead = agent(
      'lead',
      [{ calls: [{ name: tool.name, input: { text: 'x', reason: 'y' } }] }, 'It is canary-of-the-child.'],
      {
        tools: [tool],
      },
    );
    expectHidden(await look(lead), ['canary-of-the-child']);
  });
});

test('what a model was opened with is hidden too', async () => {
  const text = 'The header was canary-in-a-header; Bearer canary-in-a-header.';
  const source: ModelSource = {
    provider: 'p',
    model: 'm',
    open({ hide }) {
      hide?.('Bearer canary-in-a-header');
      return scriptedModel([{ fail: { code: 'model-auth', message: text } }]);
    },
  };
  const seen = await look({ name: 'lead', instructions: text, model: source }, text);
  expectHidden(seen, ['canary-in-a-header']);
});

test('models are told no value that a tool gave away, and tools none that a model made up', async () => {
  const lead = withTool(
    ({ echo }) => `${echo ?? canary}`,
    [{ calls: [{ name: 'look' }] }, { calls: [{ name: 'look', input: { echo: plainCanary } }] }, 'done'],
  );
  await look(lead);
  const told = JSON.stringify((lead.model as ReturnType<typeof scriptedModel>).requests);
  for (const form of [canary, plainCanary].flatMap(forms)) expect(told).not.toContain(form);
});

test('a replay shows the same', async () => {
  const journal = new MemoryJournal();
  const lead = () => withTool(() => canary, [{ calls: [{ name: 'look' }], text: plainCanary }, `It is ${canary}.`]);
  const runtime = journaled(inProcess, journal);
  const first = await look(lead(), `Use ${canary}`, { runtime, sessionId: 'one' });
  const again = await look(agent('lead', [], { tools: [says('')] }), `Use ${canary}`, { runtime, sessionId: 'one' });
  const facts = ({ events }: Seen) => events.filter(({ kind }) => kind === 'fact');
  expect(facts(again)).toEqual(facts(first));
  expectHidden(again);
});

function broken(message: string): Model {
  return { provider: 'p', model: 'm', call: () => Promise.reject(new TypeError(message)) };
}

function binding(...secrets: readonly string[]): Model {
  const content = [{ type: 'text', text: 'done', bound: { p: { [secrets[0] ?? '']: 1 } } }];
  const reply = { message: { role: 'assistant', content }, finishReason: 'stop', usage: {}, servedBy: secrets.join() };
  return { provider: 'p', model: 'm', call: async () => reply as never };
}
