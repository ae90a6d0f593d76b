// The paths that every server has: the list of agents, sessions that belong to no connection, and how it is.

import type { Node } from './keywords.ts';
import { events, type FailureStatus, failing } from './replies.ts';

export function serverPaths(hasKeys: boolean): Node {
  const failures = (...statuses: readonly FailureStatus[]) => failing(statuses, hasKeys);
  const ofSession = failures(401, 404, 405);
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of a session.',
    schema: { type: 'string' },
  };
  const sessions = { tags: ['sessions'] };
  return {
    '/v1': {
      get: {
        tags: ['agents'],
        operationId: 'list_agents',
        summary: 'The agents that you may call',
        responses: { 200: reply('The agents.', { type: 'object' }), ...failures(401, 405) },
      },
    },
    '/v1/sessions': {
      post: {
        ...sessions,
        operationId: 'start_session',
        summary: 'Start a run that belongs to no connection',
        description: 'It answers at once with the id; the run ends by itself, by stop or by cancel.',
        requestBody: body('NewSession'),
        responses: {
          201: { ...reply('It has begun, or waits for a place.', ref('Session')), headers: location },
          ...failures(400, 401, 403, 404, 405, 409, 413, 429, 503),
        },
      },
    },
    '/v1/sessions/{id}': {
      parameters: [id],
      get: {
        ...sessions,
        operationId: 'read_session',
        summary: 'How a session stands, and what came of it',
        responses: { 200: reply('The session.', ref('Session')), ...ofSession },
      },
    },
    '/v1/sessions/{id}/events': {
      parameters: [id],
      get: {
        ...sessions,
        operationId: 'follow_session',
        summary: 'Everything that was told of a session, then what is told from now on',
        parameters: [lastEvent],
        responses: {
          200: { description: 'Events; it ends with the session.', content: { 'text/event-stream': events } },
          ...failures(400, 401, 404, 405),
        },
      },
    },
    ...ending('stop', 'Stop a session with what is done so far', id, ofSession),
    ...ending('cancel', 'End a session at once', id, ofSession),
    '/v1/sessions/{id}/answer': {
      parameters: [id],
      post: {
        ...sessions,
        operationId: 'answer_session',
        summary: 'Answer the question that a session ended with; it goes on under the same id',
        requestBody: { required: true, content: answer },
        responses: { 200: reply('The session.', ref('Session')), ...failures(400, 401, 404, 405, 409, 413, 503) },
      },
    },
    ...alive('/health', 'Whether the server is alive', { 200: status('ok') }),
    ...alive('/ready', 'Whether it takes new runs', { 200: status('ready'), ...failures(503) }),
  };
}

const location = { location: { description: 'Where the session is.', schema: { type: 'string' } } };

const lastEvent = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The number of the last fact that you have seen.',
  schema: { type: 'integer', minimum: 0 },
};

const answer = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['answer'],
      properties: { answer: { description: 'Text, or what the schema of the question asks for.' } },
    },
  },
};

function ending(verb: string, summary: string, id: Node, failures: Node): Node {
  const responses = { 200: reply('How it stands now.', ref('Session')), ...failures };
  const post = { tags: ['sessions'], operationId: `${verb}_session`, summary, responses };
  return { [`/v1/sessions/{id}/${verb}`]: { parameters: [id], post } };
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

function ref(name: string): Node {
  return { $ref: `#/components/schemas/${name}` };
}
