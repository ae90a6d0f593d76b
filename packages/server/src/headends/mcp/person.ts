// The person at the client: whether one can be asked, and what comes of that in either revision.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { type AgentCall, envelopeOf } from './agent-call.ts';
import type { FieldWords } from './form-field.ts';
import type { QuestionForm } from './question-form.ts';
import { type RequestState, readState, writeState } from './request-state.ts';

/** Whether the client has said that it can show a form. Before there were other ways to ask, it said so without a word. */
export function canAskPerson({ server, context }: AgentCall): boolean {
  const said = envelopeOf(context)?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation } = said ?? server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

export function fieldWordsOf({ server, context }: AgentCall): FieldWords {
  const version = server.getNegotiatedProtocolVersion() ?? '';
  return { hasTitles: envelopeOf(context) !== undefined || version >= '2025-11-25' };
}

/** Why nobody has answered: for programs. */
export type Unanswered = 'declined' | 'cancelled' | 'timeout' | 'error' | 'invalid';

/** What came back: content, or why there is none. */
export type Returned = { readonly content: unknown } | { readonly unanswered: Unanswered };

/** The older revision: waits for the answer. Never rejects. */
export async function askNow(call: AgentCall, { form }: QuestionForm, signal: AbortSignal): Promise<Returned> {
  const timeout = Math.min(call.answerWithinMs ?? defaultAnswerWithinMs, mostMs);
  spendFirstNumber(call);
  try {
    const { action, content } = await call.context.mcpReq.send(
      { method: 'elicitation/create', params: { ...form } },
      { timeout, signal },
    );
    return action === 'accept' ? { content } : { unanswered: unansweredBy[action] };
  } catch (error) {
    const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && !signal.aborted;
    return { unanswered: isLate ? 'timeout' : 'error' };
  }
}

const begun = new WeakSet<Server>();

/** The first request on a connection has the number 0, and widespread clients do not hear that one of this number is taken back. */
function spendFirstNumber({ server, context }: AgentCall): void {
  if (begun.has(server)) return;
  begun.add(server);
  context.mcpReq.send({ method: 'ping' }).catch(() => {});
}

/** A day. */
export const defaultAnswerWithinMs = 24 * 60 * 60 * 1_000;

/** As long as timers go. */
const mostMs = 2 ** 31 - 1;

/** The newer revision: the client comes back with the answer, and brings this along. */
export function askByResult({ form }: QuestionForm, state: RequestState): InputRequiredResult {
  return inputRequired({
    inputRequests: { [field]: inputRequired.elicit(form) },
    requestState: writeState(state),
  });
}

/** What a client of the newer revision has come back with. Throws an error of the protocol where the state is none of ours. */
export function readReturned({ context }: AgentCall): (RequestState & { readonly returned: Returned }) | undefined {
  const { mcpReq } = context;
  const text = envelopeOf(context) ? mcpReq.requestState<string>() : undefined;
  // Answers to what nobody has asked are none: it begins, and asks.
  if (text === undefined) return undefined;
  const state = readState(text);
  if (!state)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The requestState is not as it was given: send it unchanged.',
    );
  const said = inputResponse(mcpReq.inputResponses, field);
  if (said.kind !== 'elicit') return { ...state, returned: { content: undefined } };
  if (said.action !== 'accept') return { ...state, returned: { unanswered: unansweredBy[said.action] } };
  return { ...state, returned: { content: said.content } };
}

const field = 'answer';

const unansweredBy = { decline: 'declined', cancel: 'cancelled' } as const;
