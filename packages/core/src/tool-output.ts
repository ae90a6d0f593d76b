// The tool that reads what was too long for the conversation: by range, or by search.

import { toolOutputName } from './middleware/output-bound.ts';
import { headBytes } from './text.ts';
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
    'Reads a long result that was cut and kept under a handle: a range of its characters, or the lines that contain a text.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'As it was told with the cut result' },
      from: { type: 'integer', minimum: 0, description: 'The first character, counted from 0' },
      length: { type: 'integer', minimum: 1, description: 'How many characters' },
      search: { type: 'string', minLength: 1, description: 'A text to look for, in any case, instead of a range' },
    },
    required: ['handle'],
    additionalProperties: false,
  },
  readOnly: true,
  idempotent: true,
  isHidden: true,
  async execute({ handle, from = 0, length, search }, context) {
    const text = await context.readOutput(handle);
    if (text === undefined)
      return fail(`Nothing is kept as "${handle}".`, { remedy: 'Use a handle exactly as a cut result told it.' });
    return search === undefined ? range(text, { from, length }, context) : find(text, search, context);
  },
});

interface Range {
  readonly from: number;
  readonly length: number | undefined;
}

/** The note about the range stays within the bound too. */
const noteBytes = 160;

function range(text: string, { from, length = text.length }: Range, { maxOutputBytes }: ToolContext): ToolOutput {
  if (from >= text.length) return fail(`It has ${text.length} characters; there is nothing from ${from} on.`);
  const part = headBytes(text.slice(from, from + length), maxOutputBytes - noteBytes);
  const end = from + part.length;
  const rest = end < text.length ? `read on from ${end}` : 'this is the end';
  return `${part}\n\n[Characters ${from} to ${end} of ${text.length}; ${rest}.]`;
}

function find(text: string, search: string, { maxOutputBytes }: ToolContext): ToolOutput {
  const [wanted, lines] = [search.toLowerCase(), text.split('\n')];
  let [at, found, report] = [0, 0, ''];
  for (const line of lines) {
    const inLine = line.toLowerCase().indexOf(wanted);
    if (inLine >= 0) {
      found++;
      report += `[character ${at + inLine}] ${around(line, inLine)}\n`;
    }
    at += line.length + 1;
  }
  if (found === 0) return `"${search}" is not in it.`;
  const shown = headBytes(report, maxOutputBytes - noteBytes);
  const cut = shown.length < report.length ? '; not all fit here, look for something rarer' : '';
  return `${shown}\n[${found} of ${lines.length} lines contain it${cut}.]`;
}

/** A line may be the whole text: only what is near the match is shown. */
function around(line: string, at: number): string {
  const [start, end] = [Math.max(0, at - 200), Math.min(line.length, at + 300)];
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
