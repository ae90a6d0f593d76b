// Over HTTP, whole and streamed letter by letter: however a model spells a call in its text, the tool runs and nobody sees it.

import { AIAgentSession, defineAgent, defineTool, type JsonSchema } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

const schemas: Readonly<Record<string, JsonSchema>> = {
  search: fields({ q: { type: 'string' }, limit: { type: 'integer' } }, ['q']),
  agent__research_icp: fields({ text: { type: 'string' }, reason: { type: 'string' } }, ['reason']),
  files__write: fields({ path: { type: 'string' }, body: { type: 'string' } }, ['path']),
  rest__users_get: fields({ id: { type: 'integer' } }, ['id']),
  'router__handoff-to': fields({ agent: { type: 'string', enum: ['sales'] }, message: { type: 'string' } }, ['agent']),
  agent__batch: fields({ calls: { type: 'array', items: { type: 'object' } } }, ['calls']),
};

function fields(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required };
}

async function run(first: string, stream: boolean) {
  const seen: (readonly [string, unknown])[] = [];
  const tools = Object.entries(schemas).map(([name, inputSchema]) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      inputSchema,
      execute: (args) => {
        seen.push([name, args]);
        return 'Done.';
      },
    }),
  );
  const model = await scriptedHttpModel([first, 'The answer.'], { pieces: first.length });
  onTestFinished(() => model.close());
  const settings = { stream };
  const agent = defineAgent({ name: 'desk', description: 'd', instructions: 'You answer.', model, tools, settings });
  const session = new AIAgentSession({ agent, ports: fakePorts() }).run('go');
  let deltas = '';
  for await (const event of session.events) if (event.type === 'text-delta') deltas += event.text;
  return { seen, deltas, outcome: await session.outcome, model };
}

type Calls = readonly (readonly [string, unknown])[];
const ways = [false, true];
const tea: Calls = [['search', { q: 'tea' }]];
const milk: Calls = [['search', { q: 'milk', limit: 2 }]];
const json = '{"name":"search","arguments":{"q":"tea"}}';
const space = 'antml:';

const generic: readonly (readonly [string, string, Calls])[] = [
  ['tool_call', `<tool_call>\n${json}\n</tool_call>`, tea],
  ['tool_call with its name in it', `<tool_call name="search">{"q":"tea"}</tool_call>`, tea],
  [
    'tool_call with a tag for the name',
    '<tool_call><name>search</name><arguments>{"q":"tea"}</arguments></tool_call>',
    tea,
  ],
  ['tools', `<tools>[${json}]</tools>`, tea],
  ['tools around a tool_call', `<tools>\n<tool_call>${json}</tool_call>\n</tools>`, tea],
  ['function_call', `<function_call>${json}</function_call>`, tea],
  ['function', `<function>${json}</function>`, tea],
  ['function=', '<function=search>{"q":"tea"}</function>', tea],
  ['function with parameters', '<function name="search"><parameters>{"q":"tea"}</parameters></function>', tea],
];

const invokes: readonly (readonly [string, string, Calls])[] = [
  ['invoke', '<invoke name="search"><parameter name="q">tea</parameter></invoke>', tea],
  ['JSON in it', '<invoke name="search">{"q":"tea"}</invoke>', tea],
  ['mixed parameter tags', '<invoke name="search"><parameter name="q">milk</parameter><limit>2</limit></invoke>', milk],
  ['other words', '<invoke name="search"><argument name="q">milk</argument><arg name="limit">2</arg></invoke>', milk],
  [
    'all of them in one tag',
    '<invoke name="search"><parameters><q>milk</q><limit>2</limit></parameters></invoke>',
    milk,
  ],
  ['a tag for the name', '<invoke><tool_name>search</tool_name><parameters><q>tea</q></parameters></invoke>', tea],
  [
    'a namespace',
    `<${space}function_calls><${space}invoke name="search"><${space}parameter name="q">tea</${space}parameter></${space}invoke></${space}function_calls>`,
    tea,
  ],
  [
    'another namespace, around tags without one',
    '<minimax:tool_call>\n<invoke name="search">\n<parameter name="q">tea</parameter>\n</invoke>\n</minimax:tool_call>',
    tea,
  ],
  [
    'a namespace that closing tags leave out',
    `<${space}function_calls><${space}invoke name="search"><${space}parameter name="q">tea</parameter></invoke></function_calls>`,
    tea,
  ],
  [
    'a namespace that only closing tags have',
    `<function_calls><invoke name="search"><parameter name="q">tea</${space}parameter></${space}invoke></${space}function_calls>`,
    tea,
  ],
];

const research: Calls = [['agent__research_icp', { text: 'tea', reason: 'r' }]];
const write: Calls = [['files__write', { path: 'a.txt', body: 'b' }]];
const handoff: Calls = [['router__handoff-to', { agent: 'sales', message: 'm' }]];
const list = [{ id: '1', tool: 'search', parameters: { q: 'tea' } }];
const batch: Calls = [['agent__batch', { calls: list }]];

const named: readonly (readonly [string, string, Calls])[] = [
  ['an agent', '<agent__research_icp>{"text":"tea","reason":"r"}</agent__research_icp>', research],
  ['with tags', '<agent__research_icp>\n<text>tea</text>\n<reason>r</reason>\n</agent__research_icp>', research],
  [
    'with mixed tags',
    '<agent__research_icp><text>tea</text><parameter name="reason">r</parameter></agent__research_icp>',
    research,
  ],
  [
    'with all in one',
    '<agent__research_icp><arguments>{"text":"tea","reason":"r"}</arguments></agent__research_icp>',
    research,
  ],
  [
    'with a namespace',
    `<${space}agent__research_icp><text>tea</text><reason>r</reason></${space}agent__research_icp>`,
    research,
  ],
  ['never closed', '<agent__research_icp><text>tea</text><reason>r</reason>', research],
  ['a tool of a server', '<files__write><path>a.txt</path><body>b</body></files__write>', write],
  ['one of a REST API', '<rest__users_get><id>3</id></rest__users_get>', [['rest__users_get', { id: 3 }]]],
  ['the handoff', '<router__handoff-to>{"agent":"sales","message":"m"}</router__handoff-to>', handoff],
  ['with tags', '<router__handoff-to><agent>sales</agent><message>m</message></router__handoff-to>', handoff],
  [
    'in a tool_call',
    '<tool_call>{"name":"router__handoff-to","arguments":{"agent":"sales","message":"m"}}</tool_call>',
    handoff,
  ],
  ['a batch', `<agent__batch>${JSON.stringify({ calls: list })}</agent__batch>`, batch],
  ['with a tag', `<agent__batch><calls>${JSON.stringify(list)}</calls></agent__batch>`, batch],
  [
    'as parameters',
    `<invoke name="agent__batch"><parameter name="calls">${JSON.stringify(list)}</parameter></invoke>`,
    batch,
  ],
];

describe.each(ways)('streamed: %s', (stream) => {
  const holds = async (words: string, calls: Calls) => {
    for (const before of ['', 'I look.\n\n']) {
      const { seen, deltas, outcome, model } = await run(before + words, stream);
      expect(seen).toEqual(calls);
      expect(outcome).toMatchObject({ status: 'completed', text: 'The answer.' });
      if (stream) expect(deltas).toBe(`${before}The answer.`);
      expect(JSON.stringify(model.requests[1]?.messages)).not.toMatch(/[<][/]|&lt;/);
    }
  };
  test.each(generic)('%s', (_, words, calls) => holds(words, calls));
  describe('invoke with', () => {
    test.each(invokes)('%s', (_, words, calls) => holds(words, calls));
  });
  describe('a tag named after', () => {
    test.each(named)('%s', (_, words, calls) => holds(words, calls));
  });
});

test.each([
  ['an unknown tool', '<agent__nobody>{"text":"tea"}</agent__nobody>'],
  [
    'a tag for the name of an unknown tool',
    '<tool_call><name>nobody</name><arguments>{"q":"tea"}</arguments></tool_call>',
  ],
  ['a definition', '<tools><search><q>string</q></search></tools>'],
  ['an invoke of nothing', '<invoke><q>tea</q></invoke>'],
  ['a report that shows one', '<ai-agent-a1b2c3d4-DRAFT>\n<tool_call>\n{}\n</tool_call>\n</ai-agent-a1b2c3d4-DRAFT>'],
])('what calls nobody stays text: %s', async (_, words) => {
  for (const stream of ways) {
    const { seen, deltas, outcome } = await run(words, stream);
    expect(seen).toEqual([]);
    expect(outcome).toMatchObject({ status: 'completed', text: words });
    if (stream) expect(deltas).toBe(words);
  }
});
