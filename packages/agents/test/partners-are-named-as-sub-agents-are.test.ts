// The promise: advisors, destinations and those of a handoff are found and loaded as sub-agents are: by paths of the file,
// in their order, each with its own configuration, and flags replace the lists.

import { expect, test } from 'vitest';
import { type LoadedAgent, Problems, readFlags, readOverrides } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const team = { 'team/x.ai': childFile(), 'team/y.ai': childFile(), 'team/z.ai': childFile() };

const namesOf = (loaded: LoadedAgent | undefined) => {
  const { agents, ...partners } = loaded?.team ?? {};
  return Object.fromEntries(Object.entries(partners).map(([role, all]) => [role, all.map(({ name }) => name)]));
};

test.each([
  ['advisors: team/x.ai', { advisors: ['x'], router: [], handoff: [] }],
  ['advisors: team/z.ai, team/x.ai', { advisors: ['z', 'x'], router: [], handoff: [] }],
  ['advisors: ["team/z.ai, team/x.ai", team/y.ai]', { advisors: ['z', 'x', 'y'], router: [], handoff: [] }],
  ['router: { destinations: "team/y.ai,team/x.ai" }', { advisors: [], router: ['y', 'x'], handoff: [] }],
  ['router: { destinations: [team/y.ai] }', { advisors: [], router: ['y'], handoff: [] }],
  ['router: { destinations: team }', { advisors: [], router: ['x', 'y', 'z'], handoff: [] }],
  ['handoff: team/y.ai', { advisors: [], router: [], handoff: ['y'] }],
  ['handoff: team/y.ai, team/x.ai', { advisors: [], router: [], handoff: ['y', 'x'] }],
  ['handoff: [team/z.ai, team/x.ai, team/y.ai]', { advisors: [], router: [], handoff: ['z', 'x', 'y'] }],
  ['advisors: []\nrouter: null\nhandoff: ""', { advisors: [], router: [], handoff: [] }],
])('%s', async (said, expected) => {
  for (const purpose of ['run', 'check', 'tools', 'help'] as const) {
    const { problems, agents } = await loadFiles({ ...team, 'lead.ai': agentFile(said) }, ['lead.ai'], { purpose });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(namesOf(agents[0])).toEqual(expected);
  }
});

test('paths begin in the folder of the file', async () => {
  const files = {
    ...team,
    'desk/lead.ai': agentFile('advisors: ../team/x.ai\nhandoff: near.ai'),
    'desk/near.ai': agentFile(),
  };
  const { problems, agents } = await loadFiles(files, ['desk/lead.ai']);
  expect(problems).toEqual([]);
  expect(namesOf(agents[0])).toEqual({ advisors: ['x'], router: [], handoff: ['near'] });
});

test('flags replace the lists of the top agent alone; their paths begin where the command was started', async () => {
  const flags = readFlags(
    [
      ['--advisors', 'team/y.ai,team/x.ai'],
      ['--handoff', 'team/z.ai'],
    ],
    new Problems(),
  );
  const files = {
    ...team,
    'desk/lead.ai': agentFile('advisors: nobody.ai\nhandoff: [nobody.ai]\nagents: below.ai'),
    'desk/below.ai': childFile('advisors: ../team/z.ai'),
  };
  const { problems, agents } = await loadFiles(files, ['desk/lead.ai'], { flags });
  expect(problems).toEqual([]);
  const [lead] = agents;
  expect(namesOf(lead)).toEqual({ advisors: ['y', 'x'], router: [], handoff: ['z'] });
  expect(namesOf(lead?.team.agents[0])).toEqual({ advisors: ['z'], router: [], handoff: [] });
  const none = readFlags(
    [
      ['--advisors', ''],
      ['--handoff', ''],
    ],
    new Problems(),
  );
  const without = await loadFiles(files, ['desk/lead.ai'], { flags: none });
  expect(namesOf(without.agents[0])).toEqual({ advisors: [], router: [], handoff: [] });
});

test('--override does not take them, and reaches them', async () => {
  const told = new Problems();
  const overrides = readOverrides(['advisors=x.ai', 'router=x.ai', 'handoff=x.ai', 'maxTurns=3'], told);
  expect(told.all.map(({ code, key }) => `${code} ${key}`)).toEqual([
    'key-unknown advisors',
    'key-unknown router',
    'key-unknown handoff',
  ]);
  const lead = agentFile('advisors: team/x.ai\nrouter: { destinations: team/y.ai }\nhandoff: team/z.ai');
  const { agents } = await loadFiles({ ...team, 'lead.ai': lead }, ['lead.ai'], { overrides });
  expect(agents[0]?.children.map(({ agent }) => agent.limits)).toEqual([3, 3, 3].map((maxTurns) => ({ maxTurns })));
});

test('each has the configuration of its own folder, its own variables, and a place in the prices of the team', async () => {
  const files = {
    'lead.ai': agentFile('advisors: far/x.ai'),
    'far/x.ai': '---\nmodels: openrouter/a\n---\nYou advise.\n',
    'far/.ai-agent.json': { defaults: { maxTurns: 7 }, pricing: {} },
  };
  const { problems, agents } = await loadFiles(files, ['lead.ai']);
  expect(problems).toEqual([]);
  const [x] = agents[0]?.team.advisors ?? [];
  expect(x?.agent.limits).toEqual({ maxTurns: 7 });
  expect(x?.session.envOverlay).toEqual({ OPENROUTER_API_KEY: 'k-openrouter' });
  expect(agents[0]?.session.envOverlay).toEqual({ OPENAI_API_KEY: 'k-openai' });
  expect(agents[0]?.priceBooks).toHaveLength(1);
});

test.each([
  ['advisors: [team/x.ai, nobody.ai]', 'advisors', 'there is no agent at nobody.ai'],
  ['router: { destinations: "none/*.ai" }', 'router', 'nothing fits none/*.ai'],
  ['handoff: nobody.ai', 'handoff', 'there is no agent at nobody.ai'],
])('%s: what is not there is told with its line', async (said, key, message) => {
  const { problems, agents } = await loadFiles({ ...team, 'lead.ai': agentFile(said) }, ['lead.ai']);
  expect(problems).toMatchObject([{ severity: 'error', code: 'file-missing', file: 'lead.ai', line: 3, key, message }]);
  expect(agents).toEqual([]);
});

test.each([
  ['advisors:\n  - team/x.ai\n  - team/xy.ai', 5, 'there is no agent at team/xy.ai; did you mean team/x.ai?'],
  [
    'router:\n  destinations:\n    - team/x.ai\n    - technicl.ai',
    6,
    'there is no agent at technicl.ai; did you mean technical.ai?',
  ],
  ['router:\n  destinations: technical', 4, 'there is no agent at technical; did you mean technical.ai?'],
  ['agents: [\n  team/x.ai,\n  technica.ai ]', 5, 'there is no agent at technica.ai; did you mean technical.ai?'],
  ['handoff: leed.ai', 3, 'there is no agent at leed.ai'],
  ['handoff: note.ai', 3, 'there is no agent at note.ai'],
])('%s: the line of the entry, and what was meant', async (said, line, message) => {
  const files = { ...team, 'technical.ai': childFile(), 'lead.ai': agentFile(said), 'note.txt': 'x' };
  const { problems } = await loadFiles(files, ['lead.ai']);
  const remedy = 'Correct the path, or create the file; paths begin where their file is.';
  expect(problems).toMatchObject([{ code: 'file-missing', file: 'lead.ai', line, message, remedy }]);
});

test('a path of a flag that leads nowhere is told as one', async () => {
  const missing = async (value: string) => {
    const flags = readFlags([['--handoff', value]], new Problems());
    return (await loadFiles({ ...team, 'desk/lead.ai': agentFile() }, ['desk/lead.ai'], { flags })).problems;
  };
  const remedy = 'Correct the path, or create the file; paths of flags begin where the command was started.';
  const place = { code: 'file-missing', file: 'the command line', key: '--handoff', remedy };
  expect(await missing('team/w.ai')).toMatchObject([
    { ...place, message: 'there is no agent at team/w.ai; did you mean team/x.ai?' },
  ]);
  expect(await missing('none')).toMatchObject([
    { ...place, message: 'there is no agent at none; for none, write --handoff ""' },
  ]);
});

test('who has a broken partner is broken; what it takes from callers does not matter', async () => {
  const broken = { 'lead.ai': agentFile('handoff: x.ai'), 'x.ai': agentFile('maxTurns: 0') };
  const { problems, agents } = await loadFiles(broken, ['lead.ai']);
  expect(problems.map(({ file, key }) => [file, key])).toEqual([['x.ai', 'maxTurns']]);
  expect(agents).toEqual([]);
  const json =
    'input: { format: json, schema: { type: object, required: [id], properties: { id: { type: integer } } } }';
  const strict = { 'lead.ai': agentFile('advisors: x.ai\nhandoff: x.ai'), 'x.ai': agentFile(json) };
  const sound = await loadFiles(strict, ['lead.ai']);
  expect([sound.problems, sound.agents.length]).toEqual([[], 1]);
});
