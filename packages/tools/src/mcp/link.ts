// One server as a session sees it: what it offers, how it is called, and what we answer when it asks.

import type { Calling, JsonObject } from '@ai-agent/core';
import type {
  CallToolResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  Tool,
} from '@modelcontextprotocol/client';

/** A tool as a server describes it. */
export type McpTool = Tool;

/** A connection that somebody uses. It may be shared; it lives until the last one has released it. */
export interface Lease {
  readonly link: Link;
  release(): Promise<void>;
}

export interface Link {
  /** As configured. */
  readonly serverName: string;
  readonly instructions: string | undefined;
  /** That is spoken with it; undefined before it is connected to. */
  readonly protocolVersion?: string | undefined;
  /** Every page of them; kept until the server says that its list changed. */
  tools(signal: AbortSignal): Promise<readonly McpTool[]>;
  /** Throws an AgentError of class network, timeout, auth or tool when there is no result. */
  call(tool: string, args: JsonObject, options: CallOptions): Promise<CallToolResult>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** The session that calls. */
  readonly calling: Calling;
  /** Whether calling twice is the same as once: then a call that was cut off may be made again. */
  readonly isRepeatable: boolean;
  onProgress(text: string): void;
}

/** What a server may ask of us. What is not here is not declared. */
export interface Answers {
  elicit?(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult>;
  sample?(params: CreateMessageRequestParams, signal: AbortSignal): Promise<CreateMessageResult>;
  readonly roots?: readonly Root[];
  log?(level: string, text: string): void;
}

export interface Root {
  readonly uri: string;
  readonly name?: string;
}

export interface LeaseOptions {
  /** With elicit, sample or roots in it the connection is this session's own. */
  readonly answers?: Answers;
  readonly signal: AbortSignal;
  /** Takes secrets that a login came to know. @default nobody */
  readonly hide?: (secret: string) => void;
}
