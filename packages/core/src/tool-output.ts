// The tool that reads what was too long for the conversation: by range, by search, or by a model that is told what to look for.

import { showEnds } from './output-ends.ts';
import { showPlaces, showRange } from './output-parts.ts';
import { type ReadingMode, readByModel } from './reading/read-by-model.ts';
import { ownSchema } from './schema.ts';
import type { MakeSession } from './session-config.ts';
import { head } from './text.ts';
import { defineTool, fail, type ToolContext, type ToolDefinition, type ToolOutput } from './tool.ts';
import { toolOutputName } from './tool-names.ts';

interface Arguments {
  readonly handle: string;
  readonly extract?: string;
  readonly mode?: ReadingMode | 'truncate';
  readonly from?: number;
  readonly length?: number;
  readonly search?: string;
}

/** `make` is how it comes to the sessions that read: it stands below them on the stairs. */
export function toolOutputWith(make: MakeSession): ToolDefinition {
  return defineTool<Arguments>({
    name: toolOutputName,
    description:
      'Reads a long result that was cut and kept under a handle: a range of its characters, every place where a text is found, or, with extract, what a model finds in all of it.',
    inputSchema: ownSchema({
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'As it was told with the cut result' },
        extract: { type: 'string', minLength: 1, description: 'What to look for, in words: a model reads it for you' },
        mode: {
          type: 'string',
          enum: ['auto', 'full-chunked', 'read-grep', 'truncate'],
          description:
            'How it is read for you: full-chunked reads all of it in parts, read-grep searches in it, auto chooses; truncate gives its beginning and its end',
        },
        from: { type: 'integer', minimum: 0, description: 'The first character, counted from 0' },
        length: { type: 'integer', minimum: 1, description: 'How many characters' },
        search: { type: 'string', minLength: 1, description: 'A text to look for, in any case, instead of a range' },
      },
      required: ['handle'],
      additionalProperties: false,
    }),
    readOnly: true,
    idempotent: true,
    isHidden: true,
    async execute(args, context) {
      const text = await context.readOutput(args.handle);
      if (text !== undefined) return read(text, args, { context, make });
      return fail(
        `Nothing is kept as "${head(args.handle, 60)}": no result of this run has that handle, or it had to make room for others.`,
        { remedy: 'Use a handle exactly as a cut result told it, or get the result again.' },
      );
    },
  });
}

function read(
  text: string,
  { extract = '', mode, search, from = 0, length }: Arguments,
  { context, make }: { readonly context: ToolContext; readonly make: MakeSession },
): ToolOutput | Promise<ToolOutput> {
  const { maxOutputBytes } = context;
  if (mode === 'truncate') return showEnds(text, maxOutputBytes, context.caller.texts);
  if (extract.trim() !== '') return readByModel({ text, extract, context, make }, mode);
  if (search !== undefined) return showPlaces(text, search, maxOutputBytes);
  if (mode === undefined || mode === 'auto') return showRange(text, { from, length }, maxOutputBytes);
  return fail(`To be read in the mode ${mode}, it has to be said what is looked for.`, {
    remedy: 'Say in extract what you look for; or leave mode out, and give a range or a search.',
  });
}
