// A call of a tool, with all that whoever works on it has to know.

import type { CallToolRequest, Server, ServerContext } from '@modelcontextprotocol/server';
import { bothCallers, type Caller, callerInMeta } from '../../caller.ts';
import type { Hall } from '../../hall.ts';
import type { Guest } from './guest.ts';
import type { LogLevel } from './log-level.ts';

export interface AgentCall {
  readonly hall: Hall;
  readonly guest: Guest;
  readonly server: Server;
  readonly params: CallToolRequest['params'];
  readonly context: ServerContext;
  readonly log: LogLevel;
  /** How long a person may take to answer where the connection waits for it. @default a day */
  readonly answerWithinMs?: number | undefined;
}

/** What requests of the newer revision say of their client, each anew; nothing in the older one. */
export function envelopeOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> | undefined {
  return mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
}

/** Who calls, when that is an agent: as the request says that brought the call, and the call itself. Throws `request-invalid`. */
export function callerOfCall({ guest, context: { http, mcpReq } }: AgentCall): Caller | undefined {
  return bothCallers(guest.callerOf?.(http?.req, mcpReq.id), callerInMeta(mcpReq._meta));
}
