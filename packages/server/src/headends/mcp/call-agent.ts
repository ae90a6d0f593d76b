// A call of a tool: a run of the agent behind it, told while it lasts, and asked back through the client where that can ask a person.

import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { answer } from '../../answer.ts';
import type { Answering } from '../../asked.ts';
import { withAllUsed } from '../../with-all-used.ts';
import { type AgentCall, callerOfCall } from './agent-call.ts';
import { askPerson, goOnWith, type Step, type Talk, takeAnswer, takeReturned, tellOpen } from './open-question.ts';
import { readReturned } from './person.ts';
import { readArguments } from './read-arguments.ts';
import { Telling } from './telling.ts';
import { toFailedResult, toResult } from './tool-result.ts';
import { type AgentAsTool, findTool } from './tools.ts';

/** Throws only what is wrong with the request of the protocol; what comes of a run is a result. */
export async function callAgent(call: AgentCall): Promise<CallToolResult | InputRequiredResult> {
  const tool = toolOf(call);
  const lost = call.guest.lost?.(call.context.mcpReq.id);
  const telling = new Telling(call, tool.served.name);
  try {
    const { signal: cancelled } = call.context.mcpReq;
    const signal = lost ? AbortSignal.any([cancelled, lost.signal]) : cancelled;
    const result = await converse({ call, tool, hearing: { signal, onEvent: telling.hear, onWait: telling.wait } });
    return isInputRequiredResult(result) ? result : project(call, tool, result);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return project(call, tool, toFailedResult(call.hall, error));
  } finally {
    telling.close();
    lost?.done();
  }
}

/** Until it has ended with something else than a question that a person answers at once. */
async function converse(talk: Talk): Promise<CallToolResult | InputRequiredResult> {
  let step = await begin(talk);
  while ('answering' in step) step = await whatCame(talk, step.answering);
  return step.result;
}

async function whatCame(talk: Talk, { head, outcome }: Answering): Promise<Step> {
  const { hall } = talk.call;
  const { id: sessionId, resumptions: answeredBefore } = head;
  const whole = outcome.then((ended) => withAllUsed(hall, head, ended));
  const ended = await whole.catch((error: unknown) => ({ status: 'never-began', error }) as const);
  if (ended.status === 'needs_user_input')
    return askPerson(talk, { sessionId, answeredBefore, question: ended.question, outcome: () => ended });
  const result =
    ended.status === 'never-began'
      ? toFailedResult(hall, ended.error)
      : toResult({ tool: talk.tool, outcome: ended, sessionId });
  return { result: answeredBefore === 0 ? result : await tellOpen(talk, sessionId, result) };
}

/** As the revision that is spoken has it: an older one knows only objects. */
function project({ server }: AgentCall, { listed }: AgentAsTool, result: CallToolResult): CallToolResult {
  return server.projectCallToolResult(result, listed.outputSchema as Record<string, unknown> | undefined);
}

async function begin(talk: Talk): Promise<Step> {
  const { call, tool, hearing } = talk;
  const { hall, guest, params } = call;
  const returned = readReturned(call);
  if (returned) return takeReturned(talk, returned);
  const asked = readArguments(tool, params.arguments);
  if ('resume' in asked) return takeAnswer(talk, asked.resume, asked.answer);
  const above = callerOfCall(call);
  const { visitor } = guest;
  const { session, ...asking } = asked;
  if (session !== undefined) return goOnWith(talk, session, asking);
  return {
    answering: answer(hall, { ...asking, agent: tool.served.name, visitor, headend: 'mcp', above, ...hearing }),
  };
}

function toolOf({ hall, guest, params: { name } }: AgentCall): AgentAsTool {
  const found = findTool(hall, guest.visitor, name);
  if ('tool' in found) return found.tool;
  const hint = found.meant === undefined ? '' : ` Did you mean ${found.meant}?`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}.${hint}`);
}
