// What is in the way of a socket, and what Slack says before it goes.

import { AgentError } from '@ai-agent/core';
import { finalWordOf } from './slack-api.ts';

export function toRefused(error: unknown): AgentError {
  const word = wordOf(error);
  if (word === undefined)
    return new AgentError('slack-refused', `Slack opens no connection: ${reasonOf(error)}.`, {
      remedy: 'Try again in a while; check the network, or SLACK_API_URL where that is set.',
      cause: error,
    });
  return new AgentError('slack-refused', `Slack opens no connection with the app token: ${word}.`, {
    remedy: 'Check appToken: it begins with xapp- and needs the scope connections:write; Socket Mode must be on.',
    cause: error,
  });
}

/** Slack's own word, where it is one that stays. */
export function wordOf(error: unknown): string | undefined {
  const { data } = (error ?? {}) as { data?: { error?: unknown } };
  return finalWordOf(data?.error);
}

export function reasonOf(error: unknown): string {
  const { data, message } = (error ?? {}) as { data?: { error?: unknown }; message?: unknown };
  if (typeof data?.error === 'string') return data.error;
  return typeof message === 'string' ? message : 'it was closed';
}

/** Slack sends one before it goes: the next connection is to be opened. */
export function isGoodbye(data: unknown): boolean {
  return typeof data === 'string' && data.length < 1_000 && /"type"\s*:\s*"disconnect"/.test(data);
}
