// A tool of a client that takes text as it is. To models it is a function with one field; its calls are given back as text.

import { isObject } from '@ai-agent/core';
import type { ClientTool } from '../../talk/talk.ts';

export interface GivenCustomTool extends Pick<ClientTool, 'name' | 'description'> {
  /** What the text must be like, when that was said. */
  readonly format: unknown;
}

export function customTool({ name, description, format }: GivenCustomTool): ClientTool {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: toRule(format) } },
      required: ['input'],
      additionalProperties: false,
    },
  };
}

/** The text that a model wrote for it; one that did not keep to the field is given back as it wrote it. */
export function customInput(input: string): string {
  try {
    const read: unknown = JSON.parse(input);
    return isObject(read) && typeof read.input === 'string' ? read.input : input;
  } catch {
    return input;
  }
}

/** A grammar is beside its syntax in one API, and inside an object in the other. */
function toRule(format: unknown): string {
  if (!isObject(format) || format.type !== 'grammar') return 'The whole input, as text.';
  const { syntax, definition } = isObject(format.grammar) ? format.grammar : format;
  return `The whole input, as text. It must keep to this grammar (${String(syntax)}):\n${String(definition)}`;
}
