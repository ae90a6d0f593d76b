// Every option of an agent, once. Frontmatter, flags, --override, defaults of the configuration, help and docs/agent-files.md
// are all made from this table.

import { defaultBudget, defaultLimits, leastLimits, mostLevels } from '@ai-agent/core';
import {
  cache,
  contract,
  hold,
  permissions,
  reasoning,
  reasoningTokens,
  router,
  toolNames,
  toolOutput,
} from './agent-kinds.ts';
import { choice, decimal, duration, isTrue, names, text, unsettable, whole } from './kinds.ts';
import type { Option } from './option.ts';
import { amount, everywhere, fileAndFlag, fileOnly, limit, row, setting, within } from './rows.ts';
import { switches } from './switches.ts';

const identity = [
  row({
    key: 'description',
    about:
      'What the agent does. Callers choose it by this; a sub-agent, a destination of a router and an agent that is served must have one.',
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
    about: 'Files of agents it may call as tools; folders and globs too.',
    kind: names,
    said: fileAndFlag,
  }),
  row({
    key: 'tools',
    about:
      'Servers and REST tools of the configuration it may use, single tools of them by name or glob; `!` takes away. `batch` lets it send many calls as one.',
    kind: toolNames,
    said: fileAndFlag,
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
    key: 'permissions',
    about:
      'Which tools it may call, by the names its model sees; `deny` goes before `ask`, and that before `allow`. What is denied or asked for holds for its sub-agents too.',
    kind: permissions,
    otherwise: 'everything it has',
    said: fileOnly,
    field: ['permissions'],
  }),
  row({
    key: 'workspace',
    about: 'A small store that the agents of one run share, if they have this.',
    kind: isTrue,
    default: false,
    said: fileOnly,
    field: ['workspace'],
  }),
  row({
    key: 'progress',
    about: 'Whether it tells how far its task is, with `agent__task_status`; never without other tools.',
    kind: isTrue,
    otherwise: 'when its prompt names that tool',
    said: ['file', 'override', 'defaults'],
    field: ['progress'],
  }),
  row({
    key: 'advisors',
    about: 'Files of agents that are asked first, side by side.',
    kind: names,
    said: fileAndFlag,
  }),
  row({
    key: 'router',
    about: 'Files of agents, in `destinations`, to which it may hand the whole request over.',
    kind: router,
    said: fileOnly,
  }),
  row({
    key: 'handoff',
    about: 'The file of an agent that gets the answer and gives the last word; a list is a pipeline.',
    kind: names,
    said: fileAndFlag,
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
  setting('temperature', unsettable(decimal(0, 2)), 'How much is left to chance.'),
  setting('topP', unsettable(decimal(0, 1)), 'The other way to bound chance.'),
  setting('topK', unsettable(whole(1)), 'How many of the likeliest tokens are considered.'),
  setting('repeatPenalty', unsettable(decimal(0)), 'How much repeats are held against it.'),
  setting('maxOutputTokens', whole(1), 'Tokens of one reply.'),
  row({
    key: 'reasoning',
    about: 'How hard it thinks before it answers.',
    kind: reasoning,
    otherwise: 'what the provider does',
    said: everywhere,
    defaultFlag: '--default-reasoning',
    field: ['settings', 'reasoning'],
    toField: (level) => (level === 'default' ? null : level),
  }),
  row({
    key: 'reasoningTokens',
    about: 'Tokens it may think with; goes before reasoning.',
    kind: reasoningTokens,
    otherwise: 'what the provider does',
    said: everywhere,
    field: ['settings', 'reasoningTokens'],
  }),
  row({
    key: 'caching',
    about: 'Whether the provider may keep the beginning of the conversation to read it cheaper next time.',
    kind: choice('full', 'none'),
    default: 'full',
    said: everywhere,
    field: ['settings', 'caching'],
  }),
];

const limits = [
  limit('maxTurns', 'Model calls of one session, the last included; the last one gets no tools.'),
  limit('maxToolCallsPerTurn', 'Calls of one turn beyond this many are refused.'),
  limit('maxParallel', 'Calls of one turn that run at once; the others wait.'),
  row({
    key: 'maxDepth',
    about: 'Levels of sub-agents below it.',
    kind: whole(leastLimits.maxDepth),
    otherwise: `${defaultLimits.maxDepth}, or as deep as its own files go, at most ${mostLevels}`,
    said: everywhere,
    field: ['limits', 'maxDepth'],
  }),
  limit('maxRetries', 'Requests to one model of the list in one model call, the first included.'),
  limit('llmTimeout', 'Time of one request to a model.', {
    kind: duration,
    alsoFlags: ['--llm-timeout-ms'],
    name: 'llmTimeoutMs',
  }),
  limit('toolTimeout', 'Time of one tool call. A default does not apply to sub-agents; a file or a flag does.', {
    kind: duration,
    alsoFlags: ['--tool-timeout-ms'],
    name: 'toolTimeoutMs',
    defaultField: ['limitDefaults', 'toolTimeoutMs'],
  }),
  limit('toolResponseMaxBytes', 'Bytes of one result that reach the model; the rest is kept behind a handle.', {
    name: 'maxToolOutputBytes',
  }),
];

const budget = [
  amount('tokens', whole(0), 'Input and output tokens of all model calls.'),
  amount('costUsd', decimal(0), 'Money; the price of every model must be known.'),
  amount('time', duration, 'Time at work; waiting in a queue or for a person does not count.', { name: 'timeMs' }),
  amount('turns', whole(0), 'Model calls.'),
  amount('toolCalls', whole(0), 'Tool calls, those of sub-agents included.'),
  amount('descendants', whole(0), 'Sessions of sub-agents, however deep.', {
    otherwise: `${defaultBudget.descendants} for a whole run`,
  }),
];

const rest = [
  row({
    key: 'compaction',
    about:
      'Whether a conversation that nears the end of its window is summed up by its own model and gone on with; otherwise it is ended with what there is.',
    kind: isTrue,
    default: true,
    said: everywhere,
    field: ['compaction'],
  }),
  row({
    key: 'toolOutput',
    about:
      'Results that are too long: whether they are kept (`enabled`), and how `models` read them again. `storeDir` has no effect.',
    kind: toolOutput,
    otherwise: 'what `toolOutput` in the configuration says; else they are kept, and read by its own models',
    said: fileOnly,
  }),
  row({
    key: 'cache',
    about:
      'How long a completed answer to the same question may be given again. Sub-agents whose files do not say it have that of their caller.',
    kind: cache,
    default: 'off',
    said: everywhere,
    field: ['cache'],
    toField: (ttlMs) => (ttlMs === 'off' ? undefined : { ttlMs }),
  }),
  row({
    key: 'strict',
    about: 'Exit code 5 when a run completes although the work of a sub-agent or a partner is missing from its answer.',
    kind: isTrue,
    default: false,
    said: everywhere,
    isSwitch: true,
  }),
  row({
    key: 'plugins',
    about: 'Modules that want metadata beside the final report, by their paths.',
    kind: names,
    said: fileAndFlag,
  }),
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
