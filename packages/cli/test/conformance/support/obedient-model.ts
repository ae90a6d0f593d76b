// A model that calls every tool it is offered, once, with arguments that fit, or with those that the scenario gives.

import type { ModelRequest } from '@ai-agent/cli';
import type { Script } from '@ai-agent/cli/testing';

interface Told {
  readonly toolCalls: readonly { readonly name: string; readonly arguments: object }[];
}

export const obedient: Script = (request) => {
  const hasCalled = request.messages.some(({ role }) => role === 'tool');
  if (hasCalled) return 'Done.';
  const calls = toCalls(request);
  return calls.length === 0 ? 'There is nothing to call.' : { calls };
};

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
