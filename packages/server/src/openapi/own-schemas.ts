// What the server itself sends and takes, as JSON Schemas: the error, the outcome, a session, a budget.

import type { Node } from './keywords.ts';

const text = { type: 'string' } as const;
const anything = { type: 'object', additionalProperties: true } as const;
const milliseconds = { type: 'integer', description: 'Milliseconds since 1970.' } as const;

const statuses = ['completed', 'partial', 'needs_user_input', 'needs_client_tools', 'failed', 'cancelled'];

const failure = {
  type: 'object',
  required: ['class', 'code', 'message', 'remedy', 'retryable'],
  properties: {
    class: { ...text, description: 'What kind of trouble it is: usage, auth, budget, model, network and so on.' },
    code: { ...text, description: 'Which trouble it is; codes do not change.' },
    message: { ...text, description: 'What was wrong.' },
    remedy: { ...text, description: 'What to do about it.' },
    retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
    retryAfterMs: { type: 'number', description: 'How long to wait before asking again.' },
    limit: { ...text, description: 'The limit that was reached, when one was.' },
  },
} as const;

const error = {
  type: 'object',
  description: 'Everything that goes wrong is told in this shape.',
  required: ['error'],
  properties: {
    error: {
      ...failure,
      properties: { ...failure.properties, sessionId: { ...text, description: 'The session, when one had begun.' } },
    },
  },
};

const amount = (description: string) => ({ type: 'integer', minimum: 0, description });

const budget = {
  type: 'object',
  description: 'What a run and everything below it may use. It can only narrow what the agent and the key allow.',
  additionalProperties: false,
  properties: {
    tokens: amount('Input and output tokens of all model calls.'),
    costUsd: { type: 'number', minimum: 0, description: 'Money, in US dollars.' },
    timeMs: amount('Time at work, in milliseconds.'),
    turns: amount('Model calls.'),
    toolCalls: amount('Tool calls.'),
    descendants: amount('Sessions below, however deep.'),
  },
};

const question = {
  type: 'object',
  description: 'What a session asks before it goes on.',
  required: ['type', 'text', 'handle'],
  properties: {
    type: { enum: ['question', 'approval'] },
    text: { ...text, description: 'In words, for whoever answers.' },
    choices: { type: 'array', items: text, description: 'Answers to choose from.' },
    schema: { ...anything, description: 'What the answer must satisfy.' },
    call: { ...anything, description: 'The call that waits for leave, when it is about one.' },
    to: { enum: ['caller', 'person'] },
    handle: text,
    agentName: text,
    sessionId: text,
  },
};

const incompleteChild = {
  type: 'object',
  required: ['path', 'title', 'status'],
  properties: {
    path: { ...text, description: 'The agents from the root to this one, with colons between.' },
    title: { type: ['string', 'null'], description: 'Why it was called.' },
    status: { enum: ['failed', 'partial', 'refused', 'cancelled'] },
    sessionId: { ...text, description: 'Its session. Absent if it never began.' },
    limit: { ...text, description: 'The limit that stopped it, when the status is partial.' },
    failure,
  },
};

const outcome = {
  type: 'object',
  description: 'How a session ended, and what was recorded on the way.',
  required: ['status', 'text'],
  properties: {
    status: { enum: statuses },
    report: { description: 'The answer: text, or JSON that keeps its schema.' },
    text: { ...text, description: 'The answer as text.' },
    metadata: anything,
    limit: { ...text, description: 'The limit that stopped it, when the status is partial.' },
    failure,
    incomplete: {
      type: 'array',
      items: incompleteChild,
      description: 'Sub-agents whose work is missing from the answer. Empty if there are none.',
    },
    question: { $ref: '#/components/schemas/Question' },
    format: { enum: ['text', 'markdown', 'json'] },
    sessionId: text,
    startedAt: milliseconds,
    endedAt: milliseconds,
    usage: { ...anything, description: 'Tokens, calls and money of the whole tree.' },
    ledger: { type: ['object', 'null'], description: 'The same by agent and by call.' },
    trace: { type: ['object', 'null'] },
    tree: { type: ['object', 'null'], description: 'Sessions, turns and calls as a tree.' },
  },
};

const session = {
  type: 'object',
  description: 'How a session stands.',
  required: ['id', 'agent', 'status', 'createdAt', 'links'],
  properties: {
    id: { ...text, description: 'Stays the same when the session goes on.' },
    agent: text,
    status: { enum: ['queued', 'running', ...statuses, 'interrupted'] },
    title: { ...text, description: 'What was asked first, in a line.' },
    createdAt: milliseconds,
    endedAt: milliseconds,
    isDetached: { type: 'boolean', description: 'Whether it was started to belong to no connection.' },
    rounds: { type: 'integer', minimum: 1, description: 'How many runs it has had: one more whenever it goes on.' },
    retryOf: {
      type: 'object',
      required: ['session', 'round', 'turn'],
      properties: { session: text, round: { type: 'integer' }, turn: { type: 'integer' } },
      description: 'The turn of another session that it was begun from.',
    },
    usage: { ...anything, description: 'What those that have ended have used.' },
    budget: { $ref: '#/components/schemas/Budget', description: 'What the request allowed it.' },
    draft: { ...text, description: 'What was written of an answer that never came.' },
    incompleteCount: {
      type: 'integer',
      minimum: 1,
      description: 'The number of sub-agents whose work is missing from the last answer. Absent if there are none.',
    },
    isKept: { const: false, description: 'The store has failed to keep all of it: it may be lost with the server.' },
    question: { $ref: '#/components/schemas/Question' },
    failure,
    links: { type: 'object', additionalProperties: text, description: 'Where to go on from here.' },
  },
};

const sessionRecord = {
  ...session,
  description: 'How a session stands, and what came of it: the outcome once it has ended, ledger and tree at any time.',
  properties: {
    ...outcome.properties,
    ...session.properties,
    earlier: { type: 'array', items: anything, description: 'Trees of the runs before.' },
  },
};

const format = { enum: ['text', 'markdown', 'json'], description: 'The form of the answer.' };
const schema = { ...anything, description: 'The JSON Schema that an answer in JSON has to keep.' };

const attachment = {
  type: 'object',
  required: ['mediaType', 'data'],
  additionalProperties: false,
  properties: {
    mediaType: { ...text, description: 'What it is: image/png.' },
    data: { ...text, contentEncoding: 'base64', description: 'The file itself.' },
    name: { ...text, minLength: 1, maxLength: 255 },
  },
};

const retry = {
  type: 'object',
  description: 'Begin from the middle of another session, which is left alone.',
  required: ['session'],
  additionalProperties: false,
  properties: {
    session: { ...text, description: 'The id of that session.' },
    round: { type: 'integer', minimum: 1, description: 'Which of its rounds; the last unless said.' },
    turn: {
      type: 'integer',
      minimum: 1,
      description: 'Which turn of that; the first that asked the model unless said.',
    },
  },
};

const newSession = {
  type: 'object',
  anyOf: [{ required: ['agent', 'input'] }, { required: ['session', 'input'] }, { required: ['retry'] }],
  additionalProperties: false,
  properties: {
    agent: { ...text, description: 'The name of an agent that is served here; not needed with a session.' },
    session: { ...text, description: 'The id of an earlier session: go on with it.' },
    input: {
      description: 'What to ask: text, or the JSON that the agent takes. With retry, in place of what was asked.',
    },
    retry,
    budget: { $ref: '#/components/schemas/Budget' },
    format,
    schema,
    attachments: { type: 'array', items: attachment, description: 'Files that go with the input.' },
  },
};

const words = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { ...text, minLength: 1, description: 'What to ask, in words.' },
    session: { ...text, description: 'The id of an earlier session of this agent: go on with it.' },
    budget: { $ref: '#/components/schemas/Budget' },
    format,
    schema,
  },
  additionalProperties: false,
};

const agentEntry = {
  type: 'object',
  required: ['name', 'description', 'input', 'output'],
  properties: {
    name: text,
    description: text,
    usage: text,
    input: anything,
    output: anything,
    attachments: { type: 'array', items: text, description: 'Media types of files that its model takes, where known.' },
    budget: { $ref: '#/components/schemas/Budget', description: 'What its file allows a run, where it says so.' },
    usedBy: { type: 'array', items: text, description: 'Agents of this list that use it themselves, where there are.' },
  },
};

/** By their names in the document. */
export const ownSchemas: Readonly<Record<string, Node>> = {
  Error: error,
  Outcome: outcome,
  Session: session,
  SessionRecord: sessionRecord,
  AgentEntry: agentEntry,
  NewSession: newSession,
  Question: question,
  Budget: budget,
  Words: words,
};
