// What is said to a session that goes on, looked at before it becomes part of it.

import { type Agent, AgentError, inputFailure, type JsonObject, type SessionHead } from '@ai-agent/core';

/** An answer is held against its question instead. Throws `session-input-invalid`. */
export function checkSaid(agent: Agent, { question }: SessionHead, said: string | JsonObject): void {
  if (question) return;
  const failure = inputFailure(agent, typeof said === 'string' ? said : JSON.stringify(said));
  if (failure) throw new AgentError('session-input-invalid', failure.message);
}
