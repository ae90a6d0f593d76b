// The person at the client: an agent's question as a form there, and the answer to it.

import type { Json, Question } from '@ai-agent/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { type AgentCall, envelopeOf } from './agent-call.ts';

export interface PersonsAnswer {
  readonly sessionId: string;
  readonly answer: Json;
}

/** Whether the client has said that it can. */
export function canAskPerson({ server, context }: AgentCall): boolean {
  const said = envelopeOf(context)?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return (said ?? server.getClientCapabilities())?.elicitation !== undefined;
}

export type AskedPerson =
  | { readonly result: InputRequiredResult }
  | { readonly answer: Json }
  | { readonly unanswered: true };

/** In the newer revision the client comes back with the answer; in the older one it is waited for. */
export async function askPerson(call: AgentCall, question: Question, sessionId: string): Promise<AskedPerson> {
  const form = toForm(question);
  if (envelopeOf(call.context))
    return {
      result: inputRequired({ inputRequests: { answer: inputRequired.elicit(form) }, requestState: sessionId }),
    };
  const { action, content } = await call.context.mcpReq.send({ method: 'elicitation/create', params: { ...form } });
  return action === 'accept' ? { answer: toAnswer(question, content) } : { unanswered: true };
}

/** What a client of the newer revision has come back with. */
export function readReturned({ context }: AgentCall): PersonsAnswer | undefined {
  const _sessionId = context.mcpReq.requestState<string>();
  const _said = inputResponse(context.mcpReq.inputResponses, 'answer');
  return undefined;
}

function toForm({ text }: Question): ElicitRequestFormParams {
  return {
    message: text,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer' } },
      required: ['answer'],
    },
  };
}

function toAnswer(_question: Question, content: unknown): Json {
  return (content as { readonly answer: Json }).answer;
}
