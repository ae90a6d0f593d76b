// A long result looked through: a reader with two tools, over this one text and no other.

import { outputReading } from '../defaults.ts';
import { showPlaces, showRange } from '../output-parts.ts';
import { ownSchema } from '../schema.ts';
import { defineTool, type Tool } from '../tool.ts';
import { type Answer, askReader, type Reading } from './reader.ts';

export function searchByModel(reading: Reading, lines: number): Promise<Answer> {
  const { text, extract, context } = reading;
  const { texts } = context.caller;
  const tools = toTools(text);
  for (const tool of tools) made.add(tool);
  const reader = { instructions: texts.searchOutput, maxTurns: outputReading.maxTurns, tools };
  return askReader(reading, reader, texts.outputToSearch({ extract, characters: text.length, lines }));
}

// Only remembers which tools are ours: whoever may read a result may read it so.
const made = new WeakSet<Tool>();

export function isReadingTool(tool: Tool): boolean {
  return made.has(tool);
}

function toTools(text: string): readonly Tool[] {
  return [
    defineTool<{ readonly search: string }>({
      name: 'result_search',
      description: 'Every place of the result where a text is found, in any case, with what is around it.',
      inputSchema: searchSchema,
      readOnly: true,
      idempotent: true,
      execute: ({ search }, { maxOutputBytes }) => showPlaces(text, search, maxOutputBytes),
    }),
    defineTool<{ readonly from?: number; readonly length?: number }>({
      name: 'result_range',
      description: 'A range of characters of the result.',
      inputSchema: rangeSchema,
      readOnly: true,
      idempotent: true,
      execute: ({ from = 0, length }, { maxOutputBytes }) => showRange(text, { from, length }, maxOutputBytes),
    }),
  ];
}

const searchSchema = ownSchema({
  type: 'object',
  properties: { search: { type: 'string', minLength: 1, description: 'The text to look for' } },
  required: ['search'],
  additionalProperties: false,
});

const rangeSchema = ownSchema({
  type: 'object',
  properties: {
    from: { type: 'integer', minimum: 0, description: 'The first character, counted from 0' },
    length: { type: 'integer', minimum: 1, description: 'How many characters; as many as fit when left out' },
  },
  additionalProperties: false,
});
