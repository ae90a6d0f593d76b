// Tools as they come in, before anybody checks them: one that is described wrongly would cost all the others their place.

import { isObject } from '@ai-agent/core';

/** Those that have a name, each mended. */
export function mendTools(tools: readonly unknown[]): readonly unknown[] {
  const named = tools.filter((tool) => isObject(tool) && typeof tool.name === 'string' && tool.name !== '');
  for (const tool of named) mendTool(tool as Record<string, unknown>);
  return named;
}

/** Gives it a schema of an object where it has none, and takes away what cannot be what it is called. Changes it in place. */
function mendTool(tool: Record<string, unknown>): void {
  tool.inputSchema = mendInput(tool.inputSchema);
  for (const [key, isSound] of Object.entries(optional))
    if (tool[key] !== undefined && !isSound(tool[key])) delete tool[key];
  if (isObject(tool.annotations)) tool.annotations = mendAnnotations(tool.annotations);
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTable: Check = (value) => isObject(value);

const optional: Readonly<Record<string, Check>> = {
  title: isText,
  description: isText,
  annotations: isTable,
  outputSchema: (value) => isObject(value) && isOfObject(value),
  // Nobody looks at them.
  icons: () => false,
  execution: (value) => isObject(value) && isTaskSupport(value.taskSupport),
  _meta: isTable,
};

function isTaskSupport(value: unknown): boolean {
  return value === undefined || ['required', 'optional', 'forbidden'].includes(String(value));
}

function mendAnnotations(annotations: Record<string, unknown>): Record<string, unknown> {
  const isSound = ([key, value]: [string, unknown]) =>
    key === 'title' ? isText(value) : key.endsWith('Hint') ? typeof value === 'boolean' : true;
  return Object.fromEntries(Object.entries(annotations).filter(isSound));
}

function mendInput(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return { type: 'object' };
  const mended: Record<string, unknown> = {
    ...(schema.type === 'object' ? schema : withoutType(schema)),
    type: 'object',
  };
  if (mended.properties !== undefined && !isObject(mended.properties)) delete mended.properties;
  if (mended.required !== undefined && !isNames(mended.required)) delete mended.required;
  return mended;
}

/** What is said of anything but an object says nothing of arguments. */
function withoutType({ type, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return type === undefined || (Array.isArray(type) && type.includes('object')) ? schema : {};
}

function isOfObject({ type, properties, required }: Record<string, unknown>): boolean {
  const isSound = (properties === undefined || isObject(properties)) && (required === undefined || isNames(required));
  return type === 'object' && isSound;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
