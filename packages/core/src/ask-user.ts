// The tool with which an agent asks back. Nobody executes it: its call is the question, and the answer is its result.

import { ownSchema } from './schema.ts';
import { defineTool, fail, type ToolDefinition } from './tool.ts';

/** Any agent may call it; only one that has `ask` is told so. */
export const hiddenAskUser: ToolDefinition = defineTool({
  name: 'ask_user',
  description: 'Asks whoever gave you this task. The answer comes back as the result.',
  inputSchema: ownSchema({
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, description: 'One question that can be answered by itself' },
      choices: { type: 'array', items: { type: 'string' }, description: 'Answers to choose from, if there are few' },
      schema: { type: 'object', description: 'JSON Schema of the answer, if it must have a form' },
    },
    required: ['question'],
    additionalProperties: false,
  }),
  isQuestion: true,
  isHidden: true,
  execute: () => fail('Nobody was asked.'),
});

export const askUser: ToolDefinition = { ...hiddenAskUser, isHidden: false };
