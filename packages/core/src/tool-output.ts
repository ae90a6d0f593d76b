// The tool that reads what was too long for the conversation: by range, or by search.

import { toolOutputName } from './middleware/output-bound.ts';
import { ownSchema } from './schema.ts';
import { characterAt, head, headBytes } from './text.ts';
import { defineTool, fail, type ToolContext, type ToolOutput } from './tool.ts';

interface Arguments {
  readonly handle: string;
  readonly from?: number;
  readonly length?: number;
  readonly search?: string;
}

export const toolOutput = defineTool<Arguments>({
  name: toolOutputName,
  description:
    'Reads a long result that was cut and kept under a handle: a range of its characters, or every place where a text is found.',
  inputSchema: ownSchema({
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'As it was told with the cut result' },
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
  async execute({ handle, from = 0, length, search }, context) {
    const text = await context.readOutput(handle);
    if (text === undefined)
      return fail(
        `Nothing is kept as "${head(handle, 60)}": no result of this run has that handle, or it had to make room for others.`,
        { remedy: 'Use a handle exactly as a cut result told it, or get the result again.' },
      );
    return search === undefined ? range(text, { from, length }, context) : find(text, search, context);
  },
});

interface Range {
  readonly from: number;
  readonly length: number | undefined;
}

/** The note about the range stays within the bound too. */
const noteBytes = 160;

/** In whole characters: one that is touched is shown. */
function range(text: string, { from, length = text.length }: Range, { maxOutputBytes }: ToolContext): ToolOutput {
  if (from >= text.length) return fail(`It has ${text.length} characters; there is nothing from ${from} on.`);
  const start = characterAt(text, from);
  const isSplit = characterAt(text, from + length) !== from + length;
  const part = headBytes(text.slice(start, from + length + (isSplit ? 1 : 0)), maxOutputBytes - noteBytes);
  const end = start + part.length;
  const rest = end < text.length ? `read on from ${end}` : 'this is the end';
  return `${part}\n\n[Characters ${start} to ${end} of ${text.length}; ${rest}.]`;
}

function find(text: string, search: string, { maxOutputBytes }: ToolContext): ToolOutput {
  const room = maxOutputBytes - noteBytes;
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
  let [count, shownUntil, report, isCut] = [0, 0, '', false];
  for (const { index } of text.matchAll(pattern)) {
    count++;
    if (index < shownUntil || isCut) continue;
    const { excerpt, end } = around(text, index, room);
    shownUntil = end;
    isCut = report.length + excerpt.length > room;
    report += `[character ${index}] ${excerpt}\n`;
  }
  if (count === 0) return `"${head(search, 60)}" is not in it.`;
  const shown = headBytes(report, room);
  const cut = shown.length < report.length ? '; not all fit here, look for something rarer' : '';
  return `${shown}\n[${count === 1 ? '1 place' : `${count} places`}${cut}.]`;
}

/** A line may be the whole text: only what is near the match is shown. */
function around(text: string, at: number, room: number) {
  const before = text.slice(Math.max(0, at - Math.min(200, Math.floor(room / 8))), at);
  const after = text.slice(at, at + Math.min(300, Math.floor(room / 4)));
  const start = characterAt(text, at - before.length + before.lastIndexOf('\n') + 1);
  const line = after.indexOf('\n');
  const end = characterAt(text, line < 0 ? at + after.length : at + line);
  const isStart = start === 0 || text[start - 1] === '\n';
  const isEnd = end === text.length || text[end] === '\n';
  return { excerpt: `${isStart ? '' : '…'}${text.slice(start, end)}${isEnd ? '' : '…'}`, end };
}
