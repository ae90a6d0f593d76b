// The paths that every server has: the list of agents, sessions that belong to no connection, and how it is.

import type { Node } from './keywords.ts';
import { events, type FailureStatus, failing, headersOfRun, outcomeType, user } from './replies.ts';

type Failures = (...statuses: readonly FailureStatus[]) => Node;

export function serverPaths(hasKeys: boolean): Node {
  // Behind the door, which some pages and some keys do not come through.
  const failures: Failures = (...statuses) => failing([403, ...statuses], hasKeys);
  return {
    '/v1': {
      get: {
        tags: ['server'],
        operationId: 'list_agents',
        summary: 'The agents that you may call',
        responses: { 200: reply('The agents.', listOf('agents', 'AgentEntry')), ...failures(401, 405) },
      },
    },
    '/v1/{agent}/template': { parameters: [agentName], get: template(failures) },
    '/v1/sessions': allSessions(failures),
    ...oneSession(failures),
    ...alive('/health', 'Whether the server is alive', { 200: status('ok') }),
    ...alive('/ready', 'Whether it takes new runs', { 200: status('ready'), ...failing([503], hasKeys) }),
  };
}

const agentName = {
  name: 'agent',
  in: 'path',
  required: true,
  description: 'The name of an agent.',
  schema: { type: 'string' },
};

function template(failures: Failures): Node {
  const content = { 'text/yaml': { schema: { type: 'string' } } };
  return {
    tags: ['server'],
    operationId: 'read_template',
    summary: 'The frontmatter of an agent with every option and what holds, to paste into a new file',
    responses: {
      200: { description: 'YAML between lines of three dashes.', content },
      ...failures(401, 404, 405),
    },
  };
}

const sessions = { tags: ['sessions'] };

function allSessions(failures: Failures): Node {
  return {
    parameters: [user],
    get: {
      ...sessions,
      operationId: 'list_sessions',
      summary: 'Your sessions, the newest first',
      parameters: listed,
      responses: { 200: reply('The sessions.', sessionList()), ...failures(400, 401, 404, 405) },
    },
    post: {
      ...sessions,
      operationId: 'start_session',
      summary:
        'Start a run that belongs to no connection, go on with a session in one, or begin from a turn of another',
      description:
        'It answers with the id as soon as the session is kept; the run ends by itself, by stop or by cancel.',
      requestBody: body('NewSession'),
      responses: {
        201: {
          ...reply('It has begun, or waits for a place.', ref('Session')),
          headers: { ...headerOf('location'), ...headerOf('x-ai-agent-session') },
        },
        ...failures(400, 401, 404, 405, 409, 413, 429, 503),
      },
    },
  };
}

function oneSession(failures: Failures): Node {
  const unknown = failures(401, 404, 405);
  const read = {
    ...sessions,
    operationId: 'read_session',
    summary: 'How a session stands, and what came of it',
    parameters: [justStanding],
    responses: { 200: reply('The session.', ref('SessionRecord')), ...failures(400, 401, 404, 405) },
  };
  const follow = {
    ...sessions,
    operationId: 'follow_session',
    summary: 'Everything that was told of a session, then what is told from now on',
    parameters: [...lastSeen, brief, now],
    responses: {
      200: { description: 'It ends with the session.', content: { 'text/event-stream': events(eventsOfSession) } },
      ...failures(400, 401, 404, 405, 429),
    },
  };
  const fact = {
    ...sessions,
    operationId: 'read_fact',
    summary: 'One fact of a session, whole',
    responses: { 200: reply('The fact.', { type: 'object', additionalProperties: true }), ...unknown },
  };
  const goOn = {
    ...sessions,
    operationId: 'answer_session',
    summary: 'Answer the question that a session ended with; it goes on under the same id',
    requestBody: { required: true, content: answer },
    responses: {
      200: answered,
      202: { ...reply('It goes on by itself.', ref('Session')), headers: headerOf('location') },
      ...failures(400, 401, 402, 404, 405, 409, 413, 429, 500, 502, 503, 504),
    },
  };
  const raise = {
    ...sessions,
    operationId: 'raise_budget',
    summary: 'Let a session that is at work use more',
    description:
      'Only amounts that bound it, each as much as now or more, and no more than its agent and your key allow.',
    requestBody: body('Budget'),
    responses: {
      202: reply('It may use as much from now on.', ref('Session')),
      ...failures(400, 401, 404, 405, 409, 413),
    },
  };
  const remove = {
    ...sessions,
    operationId: 'delete_session',
    summary: 'Delete a session that has ended, with all that is kept of it',
    responses: { 204: { description: 'It is gone.' }, ...failures(401, 404, 405, 409) },
  };
  return {
    '/v1/sessions/{id}': { parameters: [id, user], get: read, delete: remove },
    '/v1/sessions/{id}/events': { parameters: [id, user], get: follow },
    '/v1/sessions/{id}/facts/{number}': { parameters: [id, numberOfFact, user], get: fact },
    ...ending('stop', 'Stop a session, or one below it alone, with what is done so far', {
      requestBody: { content: oneBelow },
      failures: failures(400, 401, 404, 405, 413),
    }),
    ...ending('cancel', 'End a session at once', { failures: unknown }),
    '/v1/sessions/{id}/answer': { parameters: [id, user], post: goOn },
    '/v1/sessions/{id}/budget': { parameters: [id, user], post: raise },
  };
}

const id = { name: 'id', in: 'path', required: true, description: 'The id of a session.', schema: { type: 'string' } };

const moment = { type: ['string', 'integer'] };

const listed = [
  ['limit', 'How many.', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
  ['status', 'Those that stand so; several with commas between.', { type: 'string' }],
  ['agent', 'Those of this agent.', { type: 'string' }],
  ['before', 'Those older than this session: where an earlier page has ended.', { type: 'string' }],
  ['since', 'Created then or later: a date, or milliseconds since 1970.', moment],
  ['until', 'Created before then: a date, or milliseconds since 1970.', moment],
].map(([name, description, schema]) => ({ name, in: 'query', description, schema }));

const number = { type: 'integer', minimum: 0 };

const lastSeen = [
  { name: 'Last-Event-ID', in: 'header', description: 'The id of the last event that you have.', schema: number },
  { name: 'after', in: 'query', description: 'The same, for those who cannot send headers.', schema: number },
];

const brief = {
  name: 'brief',
  in: 'query',
  description: 'Whether long texts are cut, for a timeline: a fact of which something was cut has isCut.',
  schema: { type: 'boolean', default: false },
};

const now = {
  name: 'now',
  in: 'query',
  description:
    'Whether who comes in the middle is told what goes on there, what is being written from its beginning included.',
  schema: { type: 'boolean', default: false },
};

const justStanding = {
  name: 'brief',
  in: 'query',
  description: 'Whether only how it stands is wanted, without what came of it.',
  schema: { type: 'boolean', default: false },
};

const numberOfFact = {
  name: 'number',
  in: 'path',
  required: true,
  description: 'The id of the event that told it.',
  schema: { type: 'integer', minimum: 1 },
};

const eventsOfSession =
  'Every fact of the session with its number as id once it is kept, hints without one while it runs, and end when it has ended.';

const answer = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['answer'],
      additionalProperties: false,
      properties: {
        answer: { description: 'Text, or what the schema of the question asks for.' },
        wait: {
          type: 'boolean',
          description:
            'Whether to wait for what comes of it. By default as it was started: with a connection, or without.',
        },
      },
    },
  },
};

/** In the form that the session was asked for. */
const answered = {
  description: 'What came of it, for whoever waits.',
  headers: headersOfRun,
  content: {
    'text/plain': { schema: { type: 'string' } },
    'text/markdown': { schema: { type: 'string' } },
    'application/json': { schema: {} },
    [outcomeType]: { schema: ref('Outcome') },
  },
};

const oneBelow = {
  'application/json': {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        session: {
          type: 'string',
          description:
            'The id of a session below that runs: it alone is stopped, and its caller goes on with what it has. Without it, all is stopped.',
        },
      },
    },
  },
};

interface Ending {
  readonly failures: Node;
  readonly requestBody?: Node;
}

function ending(verb: string, summary: string, { failures, ...taken }: Ending): Node {
  const responses = {
    200: reply('It had ended before: nothing was changed.', ref('Session')),
    202: reply('It is told to end.', ref('Session')),
    ...failures,
  };
  const post = { tags: ['sessions'], operationId: `${verb}_session`, summary, ...taken, responses };
  return { [`/v1/sessions/{id}/${verb}`]: { parameters: [id, user], post } };
}

/** No key is needed. */
function alive(path: string, summary: string, responses: Node): Node {
  return { [path]: { get: { tags: ['server'], operationId: path.slice(1), summary, security: [], responses } } };
}

function status(word: string): Node {
  return reply('It is.', { type: 'object', required: ['status'], properties: { status: { const: word } } });
}

function body(schema: string): Node {
  return { required: true, content: { 'application/json': { schema: ref(schema) } } };
}

function reply(description: string, schema: Node): Node {
  return { description, content: { 'application/json': { schema } } };
}

function sessionList(): Node {
  const { properties, ...list } = listOf('sessions', 'Session') as { readonly properties: Node };
  const description = 'The store fails: those that this server knows.';
  return { ...list, properties: { ...properties, isComplete: { const: false, description } } };
}

function listOf(key: string, schema: string): Node {
  return { type: 'object', required: [key], properties: { [key]: { type: 'array', items: ref(schema) } } };
}

function headerOf(name: string): Node {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}

function ref(name: string): Node {
  return { $ref: `#/components/schemas/${name}` };
}
