// The instructions of agents as prompts that a client can use with a model of its own.

import {
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Hall } from '../../hall.ts';
import type { Visitor } from '../../visitor.ts';
import { toolsFor } from './tools.ts';

export function listPrompts(hall: Hall, visitor: Visitor): Prompt[] {
  return toolsFor(hall, visitor).map(({ listed: { name, title, description } }) => ({
    name,
    title,
    description,
    arguments: [{ name: 'text', description: 'What you ask, in words', required: false }],
  }));
}

export function getPrompt(
  hall: Hall,
  visitor: Visitor,
  { name, arguments: args }: GetPromptRequest['params'],
): GetPromptResult {
  const tool = toolsFor(hall, visitor).find(({ listed }) => listed.name === name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name.slice(0, 100)}.`);
  const { instructions } = tool.served.agent;
  const text = typeof instructions === 'string' ? instructions : '';
  return {
    messages: [{ role: 'user', content: { type: 'text', text: [text, args?.text ?? ''].join('\n\n').trim() } }],
  };
}
