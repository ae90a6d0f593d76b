// Every option of an agent, once. Frontmatter, flags, --override, defaults of the configuration, help and docs/agent-files.md
// are all made from this table.

import { defaultBudget, defaultLimits, defaultSettings } from '@ai-agent/core';
import { cache, contract, hold, reasoning, reasoningTokens, router, toolNames, toolOutput } from './agent-kinds.ts';
import type { Kind } from './kind.ts';
import { choice, decimal, duration, isTrue, names, text, unsettable, whole } from './kinds.ts';
import type { Group, Option, Where } from './option.ts';

const everywhere: readonly Where[] = ['file', 'flag', 'override', 'defaults'];
const fileAndFlag: readonly Where[] = ['file', 'flag'];
const fileOnly: readonly Where[] = ['file'];
const never = () => false;

const identity = [
  row({
    key: 'description',
    about: 'What the agent does. Callers choose it by this; a sub-agent must have one.',
    kind: text,
    said: fileOnly,
    field: ['description'],
  }),
  row({
    key: 'usage',
    about: 'An example of what to ask it, for help and for callers.',
    kind: text,
    said: fileOnly,
  }),
  row({
    key: 'toolName',
    about: 'The name other agents call it by.',
    kind: text,
    otherwise: 'the name of the file',
    said: fileOnly,
    field: ['toolName'],
  }),
];

const contracts = [
  row({
    key: 'input',
    about: 'What callers must send: `format` text or json, with a JSON Schema in `schema` or in the file `schemaRef`.',
    kind: contract('text', 'json'),
    otherwise: 'text',
    said: fileOnly,
  }),
  row({
    key: 'output',
    about:
      'What the report is: `format` text, markdown or json, with a JSON Schema in `schema` or in the file `schemaRef`.',
    kind: contract('text', 'markdown', 'json'),
    otherwise: 'text',
    said: fileOnly,
  }),
];

const team = [
  row({
    key: 'agents',
    about: 'Files of agents it may call as tools; folders and globs too. Paths begin where this file is.',
    kind: names,
    said: fileAndFlag,
  }),
  row({
    key: 'tools',
    about:
      'Servers and REST tools of the configuration it may use, single tools of them by name or glob; `!` takes away.',
    kind: toolNames,
    said: fileAndFlag,
    isBuilt: (list) => list.length === 0,
  }),
  row({
    key: 'ask',
    about: 'Whom it may ask back when it cannot go on: its caller, or a person alone.',
    kind: choice('caller', 'person'),
    otherwise: 'nobody',
    said: ['file', 'flag', 'override'],
    field: ['ask'],
  }),
  row({
    key: 'hold',
    about: 'How calls of it are held: each fresh; one conversation kept; or fresh on a pool of prepared connections.',
    kind: hold,
    default: 'fresh',
    said: ['file', 'flag', 'override'],
    field: ['hold'],
  }),
  row({
    key: 'hints.parallel',
    about: 'Soft advice to its model how many tools to call side by side; the hard bound is maxParallel.',
    kind: whole(1),
    said: everywhere,
    field: ['hints', 'parallel'],
  }),
  row({
    key: 'workspace',
    about: 'A small store that the agents of one run share.',
    kind: isTrue,
    default: false,
    said: fileOnly,
    isBuilt: (isWanted) => !isWanted,
  }),
  row({
    key: 'advisors',
    about: 'Files of agents that are asked first, side by side.',
    kind: names,
    said: fileAndFlag,
    isBuilt: (list) => list.length === 0,
  }),
  row({
    key: 'router',
    about: 'Files of agents, in `destinations`, to which it may pass the whole request on.',
    kind: router,
    said: fileOnly,
    isBuilt: never,
  }),
  row({
    key: 'handoff',
    about: 'The file of an agent that gets the answer and gives the last word; a list is a pipeline.',
    kind: names,
    said: fileAndFlag,
    isBuilt: (list) => list.length === 0,
  }),
];

const model = [
  row({
    key: 'models',
    about: 'Models as provider/model, in the order they are tried.',
    kind: names,
    otherwise: 'what a key in the environment opens, a local Ollama, or offline/demo',
    said: everywhere,
  }),
  row({
    key: 'temperature',
    about: 'How much is left to chance.',
    kind: unsettable(decimal(0, 2)),
    default: defaultSettings.temperature,
    said: everywhere,
    field: ['settings', 'temperature'],
  }),
  row({
    key: 'topP',
    about: 'The other way to bound chance.',
    kind: unsettable(decimal(0, 1)),
    otherwise: 'not sent',
    said: everywhere,
    field: ['settings', 'topP'],
  }),
  row({
    key: 'topK',
    about: 'How many of the likeliest tokens are considered.',
    kind: unsettable(whole(1)),
    otherwise: 'not sent',
    said: everywhere,
    field: ['settings', 'topK'],
  }),
  row({
    key: 'repeatPenalty',
    about: 'How much repeats are held against it.',
    kind: unsettable(decimal(0)),
    otherwise: 'not sent',
    said: everywhere,
    field: ['settings', 'repeatPenalty'],
  }),
  row({
    key: 'maxOutputTokens',
    about: 'Tokens of one reply.',
    kind: whole(1),
    default: defaultSettings.maxOutputTokens,
    said: everywhere,
    field: ['settings', 'maxOutputTokens'],
  }),
  row({
    key: 'reasoning',
    about: 'How hard it thinks before it answers.',
    kind: reasoning,
    otherwise: 'what the provider does',
    said: everywhere,
    isBuilt: (level) => level === 'none' || level === 'default',
  }),
  row({
    key: 'reasoningTokens',
    about: 'Tokens it may think with.',
    kind: reasoningTokens,
    otherwise: 'what the provider does',
    said: everywhere,
    isBuilt: (tokens) => tokens === 0,
  }),
  row({
    key: 'caching',
    about: 'Whether the provider may keep the beginning of the conversation to read it cheaper next time.',
    kind: choice('full', 'none'),
    default: 'full',
    said: everywhere,
  }),
];

const limits = [
  row({
    key: 'maxTurns',
    about: 'Model calls of one session, the last included; the last one gets no tools.',
    kind: whole(1),
    default: defaultLimits.maxTurns,
    said: everywhere,
    field: ['limits', 'maxTurns'],
  }),
  row({
    key: 'maxToolCallsPerTurn',
    about: 'Calls of one turn beyond this many are refused.',
    kind: whole(1),
    default: defaultLimits.maxToolCallsPerTurn,
    said: everywhere,
    field: ['limits', 'maxToolCallsPerTurn'],
  }),
  row({
    key: 'maxParallel',
    about: 'Calls of one turn that run at once; the others wait.',
    kind: whole(1),
    default: defaultLimits.maxParallel,
    said: everywhere,
    field: ['limits', 'maxParallel'],
  }),
  row({
    key: 'maxDepth',
    about: 'Levels of sub-agents below it.',
    kind: whole(0),
    otherwise: `${defaultLimits.maxDepth}, or as deep as its own files go`,
    said: everywhere,
    field: ['limits', 'maxDepth'],
  }),
  row({
    key: 'maxRetries',
    about: 'Requests to one model of the list in one model call, the first included.',
    kind: whole(1),
    default: defaultLimits.maxRetries,
    said: everywhere,
    field: ['limits', 'maxRetries'],
  }),
  row({
    key: 'llmTimeout',
    about: 'Time of one request to a model.',
    kind: duration,
    default: defaultLimits.llmTimeoutMs,
    said: everywhere,
    alsoFlags: ['--llm-timeout-ms'],
    field: ['limits', 'llmTimeoutMs'],
  }),
  row({
    key: 'toolTimeout',
    about: 'Time of one tool call; sub-agents have a budget instead.',
    kind: duration,
    default: defaultLimits.toolTimeoutMs,
    said: everywhere,
    alsoFlags: ['--tool-timeout-ms'],
    field: ['limits', 'toolTimeoutMs'],
  }),
  row({
    key: 'toolResponseMaxBytes',
    about: 'Bytes of one result that reach the model; the rest is kept behind a handle.',
    kind: whole(256),
    default: defaultLimits.maxToolOutputBytes,
    said: everywhere,
    field: ['limits', 'maxToolOutputBytes'],
  }),
];

const budget = [
  row({
    key: 'budget.tokens',
    about: 'Input and output tokens of all model calls.',
    kind: whole(0),
    otherwise: 'unlimited',
    said: everywhere,
    field: ['budget', 'tokens'],
  }),
  row({
    key: 'budget.costUsd',
    about: 'Money; the price of every model must be known.',
    kind: decimal(0),
    otherwise: 'unlimited',
    said: everywhere,
    field: ['budget', 'costUsd'],
  }),
  row({
    key: 'budget.time',
    about: 'Time at work; waiting in a queue or for a person does not count.',
    kind: duration,
    otherwise: 'unlimited',
    said: everywhere,
    field: ['budget', 'timeMs'],
  }),
  row({
    key: 'budget.turns',
    about: 'Model calls.',
    kind: whole(0),
    otherwise: 'unlimited',
    said: everywhere,
    field: ['budget', 'turns'],
  }),
  row({
    key: 'budget.toolCalls',
    about: 'Tool calls, those of sub-agents included.',
    kind: whole(0),
    otherwise: 'unlimited',
    said: everywhere,
    field: ['budget', 'toolCalls'],
  }),
  row({
    key: 'budget.descendants',
    about: 'Sessions of sub-agents, however deep.',
    kind: whole(0),
    otherwise: `${defaultBudget.descendants} for a whole run`,
    said: everywhere,
    field: ['budget', 'descendants'],
  }),
];

const rest = [
  row({
    key: 'toolOutput',
    about: 'How results that are too long are read again.',
    kind: toolOutput,
    said: fileOnly,
    isBuilt: (given) => Object.keys(given).length === 0,
  }),
  row({
    key: 'cache',
    about: 'How long an answer to the same prompt may be given again.',
    kind: cache,
    default: 'off',
    said: everywhere,
    isBuilt: (ttl) => ttl === 'off',
  }),
  row({
    key: 'plugins',
    about: 'Files of modules that work on the final report.',
    kind: names,
    said: fileAndFlag,
    isBuilt: (list) => list.length === 0,
  }),
];

const later = (key: string, kind: Kind, said: readonly Where[], about: string): Row => ({
  key,
  kind,
  said,
  about,
  isBuilt: never,
});

const switches = [
  later('stream', isTrue, ['override', 'defaults'], 'Whether models stream; they do whenever somebody watches.'),
  later('interleaved', text, ['override'], 'Under which field earlier reasoning is sent back.'),
  later('contextWindow', whole(1_024), ['override'], 'Tokens a conversation may have, for every model.'),
  later('mcpInitConcurrency', whole(1), ['override', 'defaults'], 'Servers that are started at once.'),
  later('no-batch', isTrue, ['override'], 'Takes the batch tool away.'),
  later('no-progress', isTrue, ['override'], 'Takes the progress tool away.'),
];

export const options: readonly Option[] = [
  ...within('what', identity),
  ...within('contract', contracts),
  ...within('team', team),
  ...within('model', model),
  ...within('limits', limits),
  ...within('budget', budget),
  ...within('rest', [...rest, ...switches]),
];

function within(group: Group, rows: readonly Row[]): readonly Option[] {
  return rows.map((given) => ({ ...given, group }));
}

type Row = Omit<Option, 'group'>;

/** Gives a row's value its own type inside the row, and forgets it outside: the table is read as a whole. */
function row<T>(option: Omit<Option<T>, 'group'>): Row {
  return option as unknown as Row;
}
