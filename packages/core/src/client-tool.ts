// A tool that whoever asked runs: models call it like any other, and a call of it ends the session until the result is there.

import type { ToolSpec } from './model.ts';
import { fail, type ToolDefinition } from './tool.ts';

/** Its schema is for the model alone: whoever runs the tool knows what it takes. */
export function clientTool({ name, description, inputSchema }: ClientToolSpec): ToolDefinition {
  return { name, description, inputSchema, isClientTool: true, execute: () => fail('Nobody has run it.') };
}

export type ClientToolSpec = Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>;
