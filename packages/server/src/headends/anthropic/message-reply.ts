// What an agent said, as a message of Anthropic's API.

import type { ClientCall, Said } from '../../talk/said.ts';
import { toUsage } from './message-usage.ts';

export interface MessageHead {
  /** Of this reply, and of no other. */
  readonly id: string;
  /** As the client named it. */
  readonly model: string;
  readonly showsThinking: boolean;
  /** About how many tokens were sent. */
  readonly inputTokens: number;
}

export function toMessage(said: Said, head: MessageHead): object {
  return {
    ...toFrame(head),
    content: toContent(said, head),
    ...toStop(said),
    usage: toUsage(said.usage),
    ai_agent: said.about,
  };
}

export function toContent({ text, reasoning, calls }: Said, { showsThinking }: MessageHead): readonly object[] {
  const thinking = showsThinking && reasoning !== '' ? [toThinking(reasoning)] : [];
  const words = text === '' ? [] : [{ ...emptyText, text }];
  return [...thinking, ...words, ...calls.map((call) => ({ ...toCall(call), input: JSON.parse(call.input) }))];
}

/** What is known of a message before anything was said. */
export function toFrame({ id, model }: MessageHead): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    container: null,
    context_management: null,
    diagnostics: null,
    ...noStop,
  };
}

const noStop = { stop_reason: null, stop_sequence: null, stop_details: null } as const;

/** Why it ended. Limits that this API has no word for are in what is told beside it. */
export function toStop({ status, isCut }: Said): object {
  if (status === 'calls') return { ...noStop, stop_reason: 'tool_use' };
  return { ...noStop, stop_reason: isCut ? 'max_tokens' : 'end_turn' };
}

export const emptyText = { type: 'text', text: '', citations: null } as const;

/** For the client to run; its input comes apart from it. */
export function toCall({ id, name }: ClientCall): object {
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } };
}

function toThinking(thinking: string): object {
  return { type: 'thinking', thinking, signature: signatureOf(thinking) };
}

/** Clients want one, and send it back. Nobody reads it: what was thought is not said again. */
export function signatureOf(thinking: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', thinking, 'base64');
}
