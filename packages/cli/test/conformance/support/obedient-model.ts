// A model that calls every tool it is offered, once, with arguments that fit, or with those that the scenario gives.

import type { ModelRequest } from '@ai-agent/cli';
import type { Script } from '@ai-agent/cli/testing';

interface Told {
  readonly toolCalls: readonly { readonly name: string; readonly arguments: object }[];
}

export const obedient: Script = (request) => {
  const rounds = request.messages.filter(({ role }) => role === 'tool').length;
  const calls = rounds === 0 ? toCalls(request) : rounds === 1 ? toMended(request) : [];
  return calls.length === 0 ? 'There is nothing more to call.' : { calls };
};

/** Null is no value of an argument that may be left out: the platform says so, and a model mends it. */
function toMended(request: ModelRequest): ReturnType<typeof toCalls> {
  return toCalls(request)
    .filter(({ input }) => Object.values(input).includes(null))
    .map(({ name, input }) => ({
      name,
      input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
    }));
}

const prefix = 'suite__';

function toCalls(request: ModelRequest): readonly { readonly name: string; readonly input: object }[] {
  const told = readTold(request);
  if (told.toolCalls.length > 0)
    return told.toolCalls.map(({ name, arguments: input }) => ({ name: `${prefix}${name}`, input }));
  const offered = (request.tools ?? []).filter(({ name }) => name.startsWith(prefix));
  return offered.map(({ name, inputSchema }) => ({ name, input: argumentsFor(inputSchema, offered) }));
}

type Offered = NonNullable<ModelRequest['tools']>;

function argumentsFor(schema: Offered[number]['inputSchema'], offered: Offered): object {
  const { required = [], properties = {} } = schema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  };
  return Object.fromEntries(required.map((name) => [name, valueFor(name, properties[name]?.type, offered)]));
}

/** One tool of the suite wants to see the schema of the other, as it came through. */
function valueFor(name: string, type: string | undefined, offered: Offered): unknown {
  if (name === 'schema') return offered[0]?.inputSchema;
  if (type === 'number' || type === 'integer') return 7;
  if (type === 'boolean') return true;
  return type === 'object' ? {} : type === 'array' ? [] : 'text';
}

function readTold({ messages }: ModelRequest): Told {
  const text = JSON.stringify(messages.find(({ role }) => role === 'user') ?? '');
  const start = text.indexOf('{\\"scenario\\"');
  if (start < 0) return { toolCalls: [] };
  const [inner = '{}'] = /^(?:[^"\\]|\\.)*/.exec(text.slice(start)) ?? [];
  return JSON.parse(JSON.parse(`"${inner}"`));
}
