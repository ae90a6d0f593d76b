// A team to be photographed: what its models say is written here, how it is drawn is the page's own.

import { type Agent, asTool, type ModelRequest, type ToolDefinition } from '@ai-agent/core';
import { type Step, scriptedModel } from '@ai-agent/core/testing';
import { defaultPorts } from '../../packages/cli/src/platform.ts';

const { clock } = defaultPorts();

/** The last of its researchers goes on when `until` settles. */
export function toTeam(until: Promise<void>): readonly Agent[] {
  const lead: Agent = {
    name: 'market-brief',
    description: 'Prepares a brief about a company, from what researchers and an analyst find',
    usage: 'Prepare a brief on Northwind: fleet, depots, and what changed this year.',
    instructions: 'Prepare a brief. Have each question looked into, then let the analyst compare the figures.',
    model: model('claude-sonnet-4-5', 0.0121, (request) => toTurn(request)),
    tools: [asTool(researcher(until)), asTool(analyst)],
    output: { format: 'markdown' },
    limits: { maxParallel: 2 },
  };
  return [lead, releaseNote];
}

function toTurn({ messages }: ModelRequest): Step {
  const asked = messages.filter(({ role }) => role === 'assistant').length;
  if (asked === 0)
    return {
      reasoning: 'Three questions that do not depend on each other: the fleet, the depots, and the news of this year.',
      calls: questions.map(([question, reason]) => ({ name: 'agent__researcher', input: { text: question, reason } })),
      latencyMs: 1_100,
    };
  if (asked === 1)
    return {
      calls: [{ name: 'agent__analyst', input: { text: 'Compare 2025 and 2026.', reason: 'Compare the two years' } }],
      latencyMs: 900,
    };
  return { text: brief, latencyMs: 1_300 };
}

const questions = [
  ['How large is the fleet of Northwind, and how much of it is electric?', 'Size of the fleet'],
  ['Which depots does Northwind have?', 'Depots and where they are'],
  ['What has changed at Northwind this year?', 'News of this year'],
] as const;

const brief = `### Northwind at a glance

Northwind runs **forty vans** from four depots. All that were bought since March are electric.

| | 2025 | 2026 | change |
| --- | --: | --: | --: |
| Vans | 34 | 40 | +18 % |
| of these electric | 9 | 21 | +133 % |
| Depots | 2 | 4 | +2 |
| Parcels a day | 5,100 | 6,400 | +25 % |

- Two depots opened in May, in Leeds and Hull; both have chargers.
- Costs per parcel fell by 6 %, mostly for fuel.
- What is not known: whether the lease of the York depot was renewed.
`;

function researcher(until: Promise<void>): Agent {
  return {
    name: 'researcher',
    description: 'Looks into one question and reports what the sources say',
    instructions: 'Search, read what looks best, and report.',
    model: model('claude-haiku-4-5', 0.0018, ({ messages }) => {
      const asked = messages.filter(({ role }) => role === 'assistant').length;
      const question = JSON.stringify(messages[0]);
      const isLast = question.includes('this year');
      if (asked === 0) return { calls: [{ name: 'search', input: { query: 'northwind couriers' } }], latencyMs: 600 };
      if (asked === 1) return { calls: [{ name: 'read_page', input: { page: 2 } }], latencyMs: 500 };
      return { text: 'Forty vans, of which 21 are electric.', latencyMs: 700, ...(isLast ? { until } : {}) };
    }),
    tools: [search, readPage],
  };
}

const analyst: Agent = {
  name: 'analyst',
  description: 'Compares figures',
  instructions: 'Compare.',
  model: model('gpt-5-mini', 0.0007, () => ({ text: 'Six vans more, twelve of them electric.', latencyMs: 800 })),
};

const releaseNote: Agent = {
  name: 'release-note',
  description: 'Writes a release note from what has changed',
  usage: 'Version 2.4 adds offline mode.',
  instructions: 'Write a release note.',
  model: model('claude-haiku-4-5', 0.0009, () => ({ text: note, latencyMs: 500 })),
  output: { format: 'markdown' },
};

const note = `**Version 2.4** works without a connection.

- What you write offline is sent when you are online again.
- Nothing has to be set up; *Settings → Offline* shows what waits.
`;

const search = tool('search', 'Searches the web', 340);
const readPage = tool('read_page', 'Reads a page', 620);

function tool(name: string, description: string, takesMs: number): ToolDefinition {
  return {
    name,
    description,
    inputSchema: { type: 'object' },
    readOnly: true,
    async execute() {
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      return 'Northwind runs forty vans; 21 of them are electric. Depots: Leeds, Hull, York, Ripon.';
    },
  };
}

function model(name: string, costUsd: number, toStep: (request: ModelRequest) => Step) {
  const usage = { inputTokens: 2_840, outputTokens: 310, cacheReadTokens: 1_900 };
  const provider = name.startsWith('gpt') ? 'openai' : 'anthropic';
  return scriptedModel((request) => ({ usage, costUsd, ...toStep(request) }), { provider, model: name, clock });
}
