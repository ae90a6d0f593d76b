// The tools with which agents of one run share what they found: put, get and list by key. An agent has them when it asks for them.

import { workspaceBounds } from './defaults.ts';
import { ownSchema } from './schema.ts';
import { head, utf8Bytes } from './text.ts';
import { defineTool, fail, type ToolContext, type ToolDefinition } from './tool.ts';

const { keyCharacters, valueBytes } = workspaceBounds;

const key = {
  type: 'string',
  minLength: 1,
  maxLength: keyCharacters,
  description: 'A name for it, such as findings/prices',
};

const put = defineTool<{ readonly key: string; readonly value: string }>({
  name: 'workspace_put',
  description:
    'Puts a text into the workspace that the agents of this run share, in the place of what is under its key.',
  inputSchema: ownSchema({
    type: 'object',
    properties: {
      key,
      value: { type: 'string', description: 'The text; data goes in as JSON. An empty one takes the key away.' },
    },
    required: ['key', 'value'],
    additionalProperties: false,
  }),
  idempotent: true,
  async execute({ key: under, value }, context) {
    const bytes = utf8Bytes(value);
    if (bytes > valueBytes)
      return fail(`This text has ${bytes} bytes; one key of the workspace takes ${valueBytes} at most.`, {
        remedy: 'Put a shorter text, or parts of it under several keys.',
      });
    const { store, run } = storeOf(context);
    await store.put(run, under, value);
    return bytes === 0 ? `Nothing is under "${under}" any more.` : `Kept ${bytes} bytes as "${under}".`;
  },
});

const get = defineTool<{ readonly key: string }>({
  name: 'workspace_get',
  description: 'Gives a text of the workspace that the agents of this run share, by its key.',
  inputSchema: ownSchema({ type: 'object', properties: { key }, required: ['key'], additionalProperties: false }),
  readOnly: true,
  idempotent: true,
  async execute({ key: under }, context) {
    const { store, run } = storeOf(context);
    const value = await store.get(run, under);
    if (value !== undefined) return value;
    return fail(`The workspace has nothing under "${head(under, 60)}".`, {
      remedy: 'Use a key exactly as workspace_list gives it.',
    });
  },
});

const list = defineTool<{ readonly prefix?: string }>({
  name: 'workspace_list',
  description: 'Lists what is in the workspace that the agents of this run share: keys, and how long each text is.',
  inputSchema: ownSchema({
    type: 'object',
    properties: { prefix: { type: 'string', description: 'Only keys that begin so' } },
    additionalProperties: false,
  }),
  readOnly: true,
  idempotent: true,
  async execute({ prefix = '' }, context) {
    const { store, run } = storeOf(context);
    const entries = await store.list(run, prefix);
    return { type: 'json', value: entries, summary: entries.length === 1 ? '1 key' : `${entries.length} keys` };
  },
});

export const workspaceTools: readonly ToolDefinition[] = [put, get, list];

export function isWorkspaceTool(tool: object): boolean {
  return (workspaceTools as readonly object[]).includes(tool);
}

/** Of this run alone. */
function storeOf({ caller: { run } }: ToolContext) {
  return { store: run.ports.workspace, run: run.originId };
}
