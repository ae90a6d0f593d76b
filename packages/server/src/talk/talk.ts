// A request to an agent as if it were a model, in words of no API: what headends of that kind decode to.

import type { Message, OutputContract, ToolSpec } from '@ai-agent/core';

export interface Talk {
  /** What the client calls the model. */
  readonly agent: string;
  /** What the client says to its models, after the agent's own words. Empty when it says nothing. */
  readonly system: string;
  /** The whole conversation without system messages; its last message is a user's, or has results of the client's tools. */
  readonly messages: readonly Message[];
  /** What the client runs itself. */
  readonly tools: readonly ClientTool[];
  /** Whether it wants one of them called, and no words. @default false */
  readonly mustCall?: boolean | undefined;
  /** A contract that the client asks for. */
  readonly output?: OutputContract | undefined;
  /** Whether what goes on inside is told among the reasoning. @default as the server is set up */
  readonly showsActivity?: boolean | undefined;
  /** An earlier session to go on with: what was said after the last reply is new, and all before it is known. @default none */
  readonly session?: string | undefined;
}

/** A tool as a client names it. Its schema is for the model: nobody here judges by it. */
export type ClientTool = Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>;
