// lead.ai → researcher.ai → source.ai, with JSON contracts at every edge: offline, and on a model behind HTTP.

import type { ModelRequest } from '@ai-agent/cli';
import type { Script, Step } from '@ai-agent/cli/testing';
import { describe, expect, test } from 'vitest';
import { call, promptIn, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const lead = (model: string) =>
  agentFile(
    [`models: ${model}`, 'description: Answers questions', 'agents: research/researcher.ai'],
    'You are lead. Have it researched.',
  );

const researcher = (model: string) =>
  agentFile(
    [
      `models: ${model}`,
      'description: Researches a topic',
      'agents: source.ai',
      'input: {format: json, schemaRef: question.json}',
      'output:',
      '  format: json',
      '  schema:',
      '    type: object',
      '    required: [topic, findings]',
      '    additionalProperties: false',
      '    properties:',
      '      topic: {type: string, minLength: 1}',
      '      findings: {type: array, minItems: 1, items: {type: string}}',
    ],
    'You are researcher. Ask the source.',
  );

const source = (model: string) =>
  agentFile(
    [
      `models: ${model}`,
      'description: Knows one fact about a subject',
      'input: {format: json, schema: {type: object, required: [subject, limit], properties: {subject: {type: string}, limit: {type: integer, minimum: 1}}}}',
      'output: {format: json, schema: {type: object, required: [fact, year], properties: {fact: {type: string}, year: {type: integer}}}}',
    ],
    'You are source.',
  );

const teamOn = (model: string, config: object = {}) =>
  folderWith({
    'lead.ai': lead(model),
    'research/researcher.ai': researcher(model),
    'research/source.ai': source(model),
    'research/question.json': { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } },
    '.ai-agent.json': config,
  });

interface Node {
  readonly trace: { readonly agentName: string };
  readonly status: string;
  readonly turns: readonly { readonly operations: readonly { readonly type: string; readonly session?: Node }[] }[];
}

const childrenOf = ({ turns }: Node): readonly Node[] =>
  turns.flatMap(({ operations }) => operations.flatMap(({ session }) => (session ? [session] : [])));

type Reply = (request: ModelRequest, results: readonly string[]) => Step | string;

/** One server for all: who asks is in the first words of its prompt. */
const byAgent =
  (replies: Readonly<Record<string, Reply>>): Script =>
  (request) =>
    replies[/^You are (\w+)\./.exec(request.system)?.[1] ?? '']?.(request, resultsIn(request)) ?? 'nobody';

const paths = ['lead', 'lead:researcher', 'lead:researcher:source'];

const runTeam = async (cwd: string) => {
  const { code, stdout, stderr } = await run(['lead.ai', '--json', 'What about bridges?'], { cwd });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

test('on the offline model: every report fits, and the ledger has all three levels', async () => {
  const outcome = await runTeam(await teamOn('offline/demo'));
  expect(outcome).toMatchObject({ status: 'completed', report: expect.stringContaining('ridge') });
  expect(Object.keys(outcome.ledger.byPath)).toEqual(paths);
  expect(Object.keys(outcome.ledger.byName).sort()).toEqual(['lead', 'researcher', 'source']);
  const [middle] = childrenOf(outcome.tree);
  const [last] = childrenOf(middle as Node);
  expect([middle, last]).toMatchObject([
    { status: 'completed', trace: { agentName: 'researcher' } },
    { status: 'completed', trace: { agentName: 'source' } },
  ]);
});

describe('on a model behind HTTP', () => {
  test('arguments and reports cross as JSON that fits; a child sees its arguments and nothing else', async () => {
    const model = await served(
      byAgent({
        lead: (_, [result]) => result ?? { calls: [call('agent__researcher', { topic: 'brïdges' })] },
        researcher(request, [result]) {
          const { topic } = JSON.parse(promptIn(request));
          if (result) return JSON.stringify({ topic, findings: [JSON.parse(result).fact] });
          return { calls: [call('agent__source', { subject: topic, limit: 1 })] };
        },
        source: (request) => JSON.stringify({ fact: `about ${JSON.parse(promptIn(request)).subject}`, year: 1883 }),
      }),
    );
    const outcome = await runTeam(await teamOn('local/m', localProvider(model.baseUrl)));
    expect(JSON.parse(outcome.report)).toEqual({ topic: 'brïdges', findings: ['about brïdges'] });
    expect(outcome.ledger.byPath).toMatchObject({
      lead: { modelCalls: 2, toolCalls: 1 },
      'lead:researcher': { modelCalls: 2, toolCalls: 1 },
      'lead:researcher:source': { modelCalls: 1, toolCalls: 0 },
    });
    expect(outcome.ledger.total).toMatchObject({ modelCalls: 5, inputTokens: 50, outputTokens: 25 });
    const prompts = model.requests.map(promptIn);
    expect(prompts[1]).toBe('{"topic":"brïdges"}');
    expect(prompts[2]).toBe('{"subject":"brïdges","limit":1}');
    expect(JSON.stringify(model.requests[2])).not.toMatch(/What about bridges|You are (?:lead|researcher)/);
  });

  test('wrong arguments come back to the caller’s model, a wrong report to the child’s own; both repair', async () => {
    const model = await served(
      byAgent({
        lead: (_, [result]) => result ?? { calls: [call('agent__researcher', { topic: 'b' })] },
        researcher({ messages }) {
          if (messages.length > 3) return '{"topic":"b","findings":["f"]}';
          return { calls: [call('agent__source', { subject: 'b', limit: messages.length === 1 ? 'many' : 2 })] };
        },
        source: ({ messages }) => `{"fact":"f","year":${messages.length === 1 ? '"long ago"' : '1883'}}`,
      }),
    );
    const outcome = await runTeam(await teamOn('local/m', localProvider(model.baseUrl)));
    expect(JSON.parse(outcome.report)).toEqual({ topic: 'b', findings: ['f'] });
    const refusal = model.requests.flatMap((request) => resultsIn(request)).find((text) => text.includes('limit'));
    expect(refusal).toMatch(/"limit" must be integer/);
    const repair = model.requests.filter(({ system }) => system.startsWith('You are source.')).at(-1);
    expect(JSON.stringify(repair?.messages.at(-1))).toMatch(/year.*must be integer/);
    expect(outcome.ledger.byPath).toMatchObject({
      'lead:researcher': { modelCalls: 3 },
      'lead:researcher:source': { modelCalls: 2 },
    });
  });
});
