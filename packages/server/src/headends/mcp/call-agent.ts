// A call of a tool: a run of the agent behind it, told while it lasts, and asked back through the client where that can ask a person.

import { AgentError, type Json, type JsonObject, nearest, type Outcome } from '@ai-agent/core';
import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { answer } from '../../answer.ts';
import type { Answering, Asked } from '../../asked.ts';
import { bothCallers, type Caller, callerInMeta } from '../../caller.ts';
import { checkWords } from '../../check-input.ts';
import { asWritable } from '../../parse-json.ts';
import { readOutput } from '../../read-output.ts';
import { resume } from '../../resume.ts';
import type { AgentCall } from './agent-call.ts';
import { askPerson, canAskPerson, type PersonsAnswer, readReturned } from './person.ts';
import { Telling } from './telling.ts';
import { toFailedResult, toResult } from './tool-result.ts';
import { type AgentAsTool, toolsFor } from './tools.ts';

/** Throws only what is wrong with the request of the protocol; what comes of a run is a result. */
export async function callAgent(call: AgentCall): Promise<CallToolResult | InputRequiredResult> {
  const tool = findTool(call);
  const lost = call.guest.lost?.(call.context.mcpReq.id);
  const telling = new Telling(call, tool.served.name);
  try {
    const signal = lost ? AbortSignal.any([call.context.mcpReq.signal, lost.signal]) : call.context.mcpReq.signal;
    return await converse(call, tool, { signal, onEvent: telling.hear });
  } catch (error) {
    return project(call, tool, toFailedResult(call.hall, error));
  } finally {
    telling.close();
    lost?.done();
  }
}

type Hearing = Required<Pick<Asked, 'signal' | 'onEvent'>>;

/** Until it has ended with something else than a question that a person answers at once. */
async function converse(
  call: AgentCall,
  tool: AgentAsTool,
  hearing: Hearing,
): Promise<CallToolResult | InputRequiredResult> {
  let answering = await begin(call, tool, hearing);
  for (;;) {
    const outcome = await answering.outcome;
    const sessionId = answering.head.id;
    if (outcome.status !== 'needs_user_input' || !canAskPerson(call)) return done(call, tool, outcome, sessionId);
    const asked = await askPerson(call, outcome.question, sessionId);
    if ('result' in asked) return asked.result;
    if (!('answer' in asked)) return done(call, tool, outcome, sessionId);
    answering = await goOn(call, sessionId, { answer: asked.answer, ...hearing });
  }
}

function done(call: AgentCall, tool: AgentAsTool, outcome: Outcome, sessionId: string): CallToolResult {
  return project(call, tool, toResult({ tool, outcome, sessionId }));
}

/** As the revision that is spoken has it: an older one knows only objects. */
function project({ server }: AgentCall, { listed }: AgentAsTool, result: CallToolResult): CallToolResult {
  return server.projectCallToolResult(result, listed.outputSchema as Record<string, unknown> | undefined);
}

async function begin(call: AgentCall, tool: AgentAsTool, hearing: Hearing): Promise<Answering> {
  const { hall, guest } = call;
  const args = asWritable((call.params.arguments ?? {}) as JsonObject);
  const returned = readReturned(call);
  if (returned) return takeUp(call, tool, returned, hearing);
  if (typeof args.resume === 'string' && 'answer' in args)
    return takeUp(call, tool, { sessionId: args.resume, answer: args.answer as Json }, hearing);
  const { prompt, format, schema } = tool.input.read(args);
  if (prompt.trim() === '')
    throw new AgentError('request-invalid', 'text is missing or empty: it is what you ask.', {
      remedy: 'Call it again with text.',
    });
  if (schema !== undefined && tool.output.format === 'json')
    throw new AgentError('request-invalid', 'This agent has a contract for its answer: no schema can be sent.');
  const { output } = readOutput({ format, schema }, tool.output);
  checkWords(tool.served, prompt);
  return answer(hall, {
    agent: tool.served.name,
    prompt,
    visitor: guest.visitor,
    headend: 'mcp',
    above: callerOfCall(call),
    ...(output ? { output } : {}),
    ...hearing,
  });
}

/** Throws `session-unknown`, also for sessions of other agents. */
async function takeUp(call: AgentCall, tool: AgentAsTool, said: PersonsAnswer, hearing: Hearing): Promise<Answering> {
  const head = await call.hall.session(said.sessionId, call.guest.visitor);
  if (head.agent !== tool.served.name)
    throw new AgentError('session-unknown', `There is no such session of ${tool.served.name}.`);
  return goOn(call, said.sessionId, { answer: said.answer, ...hearing });
}

function goOn(call: AgentCall, sessionId: string, said: Hearing & { readonly answer: Json }): Promise<Answering> {
  const { hall, guest } = call;
  return resume(hall, sessionId, { ...said, visitor: guest.visitor, above: callerOfCall(call) });
}

/** Throws `request-invalid`. */
function callerOfCall({ guest, context: { http, mcpReq } }: AgentCall): Caller | undefined {
  return bothCallers(guest.callerOf?.(http?.req, mcpReq.id), callerInMeta(mcpReq._meta));
}

function findTool({ hall, guest, params: { name } }: AgentCall): AgentAsTool {
  const tools = toolsFor(hall, guest.visitor);
  const found =
    tools.find(({ listed }) => listed.name === name) ??
    tools.find(({ served }) => served.name === name || served.agent.name === name);
  if (found) return found;
  const meant = nearest(
    name,
    tools.map(({ listed }) => listed.name),
  );
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}.${hint}`);
}
