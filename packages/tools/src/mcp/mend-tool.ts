// A tool as it comes in, before anybody checks it: one that is described wrongly would cost all the others their place.

import { isObject } from '@ai-agent/core';

/** Gives it a schema of an object where it has none, and takes away what is no schema of its results. Changes it in place. */
export function mendTool(tool: unknown): void {
  if (!isObject(tool)) return;
  const { inputSchema, outputSchema } = tool;
  if (!isObject(inputSchema)) tool.inputSchema = { type: 'object' };
  else if (inputSchema.type !== 'object') tool.inputSchema = { ...withoutType(inputSchema), type: 'object' };
  if (outputSchema !== undefined && !isObject(outputSchema)) delete tool.outputSchema;
  for (const key of ['description', 'title', 'annotations']) if (tool[key] === null) delete tool[key];
}

/** What is said of anything but an object says nothing of arguments. */
function withoutType({ type, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return type === undefined || (Array.isArray(type) && type.includes('object')) ? schema : {};
}
