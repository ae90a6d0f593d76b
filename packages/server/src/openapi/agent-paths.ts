// The paths of the agents: a question in the address, or a body, and what each contract makes of both.

import { isObject, type OutputContract, resultOf } from '@ai-agent/core';
import type { ServedAgent } from '../served-agent.ts';
import type { Node } from './keywords.ts';
import { Names } from './names.ts';
import { events, type FailureStatus, failing, headersOfRun, outcomeType, user } from './replies.ts';
import type { SchemaShelf } from './schema-shelf.ts';

interface AgentPathsOptions {
  readonly shelf: SchemaShelf;
  readonly hasKeys: boolean;
}

/** By path. A name that no address can have is left out. */
export function agentPaths(agents: readonly ServedAgent[], { shelf, hasKeys }: AgentPathsOptions): Node {
  const names = new Names();
  const reachable = agents.filter(({ name }) => !['', '.', '..'].includes(name));
  return Object.fromEntries(
    reachable.map((served) => {
      const id = names.take(served.name);
      return [toPath(served.name), toPathItem(served, { id, hasKeys, ...toContracts(served, id, shelf) })];
    }),
  );
}

/** Braces too are written as codes, so that none is taken for a parameter. */
function toPath(name: string): string {
  return `/v1/${encodeURIComponent(name.toWellFormed())}`;
}

interface Contracts {
  /** What a body of JSON is. */
  readonly input: Node;
  readonly takesText: boolean;
  readonly output: Node;
  readonly format: OutputContract['format'];
}

function toContracts({ agent }: ServedAgent, id: string, shelf: SchemaShelf): Contracts {
  const { input } = agent;
  const output = resultOf(agent);
  const takesText = input?.format !== 'json';
  const words = { $ref: '#/components/schemas/Words' };
  return {
    takesText,
    input: takesText ? words : input.schema ? shelf.put(input.schema, `${id}_input`) : {},
    format: output?.format ?? 'text',
    output: output?.schema ? shelf.put(output.schema, `${id}_output`) : {},
  };
}

interface Described extends Contracts {
  readonly id: string;
  readonly hasKeys: boolean;
}

function toPathItem(served: ServedAgent, described: Described): Node {
  const { id, hasKeys } = described;
  const { name, agent, usage = agent.usage } = served;
  const description = [agent.description ?? '', usage ? `For example: ${usage}` : ''].filter((one) => one !== '');
  const both = {
    tags: ['agents'],
    ...(description.length > 0 ? { description: description.join('\n\n') } : {}),
    responses: { 200: toAnswer(described), ...failing(failuresOfRun, hasKeys) },
  };
  // For the readable page: as they were written, which a path and a description do not show.
  const written = { name, description: agent.description ?? '', ...(usage ? { usage } : {}) };
  return {
    'x-ai-agent': written,
    parameters: [user],
    get: { operationId: `ask_${id}`, summary: `Ask ${name}`, ...both, parameters: toQuery(described, usage) },
    post: {
      operationId: `call_${id}`,
      summary: `Ask ${name} with a body`,
      ...both,
      parameters: answerParameters,
      requestBody: { required: true, content: toBody(described, usage) },
    },
  };
}

const failuresOfRun: readonly FailureStatus[] = [400, 401, 402, 403, 404, 405, 409, 413, 429, 500, 502, 503, 504];

const answerParameters: readonly Node[] = [
  {
    name: 'format',
    in: 'query',
    description:
      'The form of the answer. Without it, the form that the agent has; json needs a schema unless it has one.',
    schema: { enum: ['text', 'markdown', 'json'] },
  },
  {
    name: 'schema',
    in: 'query',
    description: 'The JSON Schema that an answer in JSON has to keep, as JSON.',
    content: { 'application/json': { schema: { type: 'object' } } },
  },
  {
    name: 'session',
    in: 'query',
    description:
      'The id of an earlier session of this agent: go on with it. The header X-Ai-Agent-Session says the same.',
    schema: { type: 'string' },
  },
];

function toQuery({ takesText, input }: Described, usage: string | undefined): readonly Node[] {
  const q = { name: 'q', in: 'query', required: true };
  if (!takesText) {
    const json = { schema: input, ...toExample(usage) };
    return [{ ...q, description: 'What to ask, as JSON.', content: { 'application/json': json } }, ...answerParameters];
  }
  const example = usage ? { example: usage } : {};
  const schema = { type: 'string', minLength: 1 };
  return [{ ...q, description: 'What to ask, in words.', schema, ...example }, ...answerParameters];
}

function toBody({ takesText, input }: Described, usage: string | undefined): Node {
  if (!takesText) return { 'application/json': { schema: input, ...toExample(usage) } };
  return {
    'text/plain': { schema: { type: 'string', minLength: 1 }, ...(usage ? { example: usage } : {}) },
    'application/json': { schema: input, ...(usage ? { example: { text: usage } } : {}) },
  };
}

/** An example in words is none of JSON. */
function toExample(usage: string | undefined): Node {
  try {
    const example: unknown = JSON.parse(usage ?? '');
    return isObject(example) || Array.isArray(example) ? { example } : {};
  } catch {
    return {};
  }
}

/** The agent's own form first. */
function toAnswer({ format, output }: Described): Node {
  const text = { schema: { type: 'string' } };
  const forms = {
    text: ['text/plain', text],
    markdown: ['text/markdown', text],
    json: ['application/json', { schema: output }],
  };
  const first = forms[format];
  const content = [first, ...Object.values(forms).filter((one) => one !== first)];
  return {
    description: 'The answer. It may be partial, or a question: the header x-ai-agent-status says so.',
    headers: headersOfRun,
    content: {
      ...Object.fromEntries(content),
      [outcomeType]: { schema: { $ref: '#/components/schemas/Outcome' } },
      'text/event-stream': events(eventsOfRun),
    },
  };
}

const eventsOfRun =
  'Events: session, text (a piece of the answer), discard (the pieces so far are void), progress, and one outcome at the end.';
