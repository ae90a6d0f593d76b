// One call of a tool of a server, from its arguments to what becomes of the answer.

import { fail, isAgentError, type JsonObject, oneLine, type ToolContext, type ToolOutput } from '@ai-agent/core';
import {
  type CallToolResult,
  type ElicitRequestURLParams,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { callingOf, withCaller } from '../calling.ts';
import type { Calls } from './calls.ts';
import { toOutput } from './content.ts';
import type { Answers, Link, McpTool } from './link.ts';

export interface CalledServer {
  readonly link: Link;
  readonly calls: Calls;
  /** Its tools, as the session found them when it opened. */
  readonly listed: readonly McpTool[];
  readonly elicit?: Answers['elicit'];
}

interface Called {
  readonly args: JsonObject;
  readonly context: ToolContext;
}

export async function callServer(tool: McpTool, server: CalledServer, called: Called): Promise<ToolOutput> {
  const { calls, link } = server;
  const { context } = called;
  const { signal } = context;
  try {
    const result = await calls.during(context, () => callAfterVisits(tool, server, called));
    if (result.isError && (await isGone(tool, server, signal))) return gone(tool, link);
    return toOutput(result);
  } catch (error) {
    signal.throwIfAborted();
    // Only an answer of the server can mean that; after anything else, asking for its list would wait for it once more.
    if (isAgentError(error) && error.class === 'tool' && (await isGone(tool, server, signal))) return gone(tool, link);
    throw error;
  }
}

/** A server may refuse until the person has been somewhere: then the call is made once more. */
async function callAfterVisits(tool: McpTool, server: CalledServer, called: Called): Promise<CallToolResult> {
  const { signal } = called.context;
  try {
    return await callOnce(tool, server, called);
  } catch (error) {
    const visits = visitsIn(error);
    if (visits.length === 0 || !server.elicit || signal.aborted) throw error;
    for (const visit of visits) {
      const { action } = await server.elicit({ ...visit, mode: 'url' }, signal);
      if (action !== 'accept') throw error;
    }
    return callOnce(tool, server, called);
  }
}

function callOnce({ name, annotations }: McpTool, { link }: CalledServer, { args, context }: Called) {
  const { signal } = context;
  const calling = callingOf(context);
  const isRepeatable = annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
  const onProgress = (text: string) => context.progress(oneLine(text).slice(0, maxProgressLength));
  return withCaller(calling, () => link.call(name, args, { signal, calling, isRepeatable, onProgress }));
}

const maxVisits = 5;
const maxProgressLength = 500;

function visitsIn(error: unknown): readonly ElicitRequestURLParams[] {
  const cause = isAgentError(error) ? error.cause : undefined;
  return cause instanceof UrlElicitationRequiredError ? cause.elicitations.slice(0, maxVisits) : [];
}

const listPatienceMs = 3_000;

/** Whether the server has changed its list since the session opened, and this one is no longer in it. In doubt not. */
async function isGone({ name }: McpTool, { link, listed }: CalledServer, signal: AbortSignal): Promise<boolean> {
  try {
    const now = await link.tools(AbortSignal.any([signal, AbortSignal.timeout(listPatienceMs)]));
    return now !== listed && !now.some((tool) => tool.name === name);
  } catch {
    return false;
  }
}

function gone({ name }: McpTool, { serverName }: Link): ToolOutput {
  return fail(`The server ${serverName} has taken the tool ${oneLine(name)} away since this session began.`, {
    remedy: 'Do without this tool; a new session gets the tools that the server has now.',
  });
}
