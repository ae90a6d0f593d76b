// What a session is given, and what its caller holds while it runs.

import type { Agent } from './agent.ts';
import type { Budget } from './budget.ts';
import type { EnvOverlay } from './env.ts';
import type { AgentEvent, Fact } from './events.ts';
import type { Json, JsonObject } from './json.ts';
import type { FilePart, Message } from './message.ts';
import type { Middleware } from './middleware.ts';
import type { Continued } from './missing-call.ts';
import type { OutputContract } from './model.ts';
import type { Resumption, ToolCall } from './operation.ts';
import type { Outcome } from './outcome.ts';
import type { Request } from './pauses.ts';
import type { Above, PartnerRole } from './place.ts';
import type { Pool, Poolable } from './pool.ts';
import type { Ports } from './ports.ts';
import type { OnQuestion } from './run.ts';
import type { RuntimeFactory } from './runtime.ts';
import type { Texts } from './texts.ts';
import type { Caller, ToolOffer } from './tool.ts';

export interface AIAgentSessionConfig {
  readonly agent: Agent;
  /** What core needs of the world. Needed at the root; sessions below share the root's. */
  readonly ports?: Ports;
  /** Words of the caller, after the agent's own instructions. @default none */
  readonly instructions?: string;
  /** Tools beside the agent's own, for this session alone. */
  readonly tools?: readonly ToolOffer[];
  /** The only variables that models and tools of this session may see. @default {} */
  readonly envOverlay?: EnvOverlay;
  /** A contract the caller asks for, instead of the agent's own. */
  readonly output?: OutputContract;
  /** Pictures and files that go with the prompt, for models that take them. */
  readonly attachments?: readonly FilePart[];
  /** An earlier conversation to go on with. One that ends with results of tools needs no prompt: then it is empty. */
  readonly history?: readonly Message[];
  /**
   * Goes on in the middle of `history`: the model is called with it as it is, the prompt is empty, and no kept answer is given. Which
   * message of it was asked, in which words, and whether advisors were heard.
   */
  readonly request?: Pick<Request, 'text' | 'at' | 'isAdvised'>;
  /** The session that this one continues, which ended without an answer. Its missing children stay listed until calls make up for them. */
  readonly continues?: Continued;
  /** The handle of a question: the session that asked it goes on, and the prompt is the answer; of calls, their results. */
  readonly resume?: string;
  /** What the run may use, together with everything below it; the agent's own budget can only be narrowed. */
  readonly budget?: Budget;
  /**
   * Asked whenever a person has to answer, at any depth. Gives the answer, now or later; with nothing, answer by the
   * question's handle. @default a question ends the session that asks as `needs_user_input`
   */
  readonly onQuestion?: OnQuestion;
  /** Cancels the session and everything below it. */
  readonly signal?: AbortSignal;
  /** Hears every fact of the session and those below it, at once and in order; models stream for nobody. */
  readonly onFact?: (fact: Fact) => unknown;
  /** Hears every fact and hint of the session and those below it, at once and in order. */
  readonly onEvent?: (event: AgentEvent) => unknown;
  /** Layers for this session and everything below it. */
  readonly middleware?: readonly Middleware[];
  /** Where operations are carried out. Only the root's counts. @default in this process */
  readonly runtime?: RuntimeFactory;
  /** Replaces sentences of ours; the agent's own replacements win. */
  readonly texts?: Partial<Texts>;
  /** The id of a root session. @default a new one */
  readonly sessionId?: string;
  /** Agents at work above the root, in another process or over a network: none of them is called below, and levels count on. */
  readonly above?: Above;
}

export interface SessionRun {
  readonly sessionId: string;
  /** Iterate at once: what was told before nobody listened is not kept. */
  readonly events: AsyncIterable<AgentEvent>;
  /** Never rejects because the run went badly. */
  readonly outcome: Promise<Outcome>;
  /** A limit: work under way ends as stopped, the session gets one last turn, and the outcome is `partial`. */
  stop(limit?: string): void;
  /**
   * Stops one session below alone: it gets one last turn, and its caller goes on with what it has as a partial result. False when no
   * session of this id runs below here.
   */
  stopBelow(sessionId: string): boolean;
  /**
   * More of the amounts that bound the run, for it and everything below it; never more than its agent's own budget allows. What is
   * not bounded stays so, nothing is lowered, and a limit that has begun to end a session stays its end.
   */
  raise(budget: Budget): void;
  /** Ends the whole tree at once, down to its requests. */
  cancel(reason?: string): void;
  /** Answers a question of any session of the tree. Throws `question-unknown` or `answer-invalid`. */
  answer(handle: string, answer: Json): void;
  /** Answers an operation that waits for a message. */
  send(sessionId: string, name: string, message: Json): void;
}

/** A call of an agent that works on the request of the one that calls. */
export interface PartnerCall {
  readonly role: PartnerRole;
  /** Whether its answer is the answer of the session that calls. */
  readonly isLast: boolean;
  /** What was asked in the first place, and what was said of it before. */
  readonly request: Pick<Request, 'text' | 'said'>;
}

/** The call that a session below its caller answers. */
export interface SessionCall {
  readonly call: ToolCall;
  readonly caller: Caller;
  /** Tools and models that were prepared before, and may serve again. */
  readonly pool?: Pool<Poolable>;
  /** Narrows what the session may use. */
  readonly budget?: Budget;
  /** The question that the call answers: the session that asked it is gone on with. */
  readonly resume?: Resumption;
  /** What its agent is to the one that calls, when it works on the same request. */
  readonly partner?: PartnerCall;
}

/** A session that has not run, for whoever stands below it on the stairs. */
export interface NewSession {
  readonly config: AIAgentSessionConfig;
  run(prompt: string | JsonObject, below: SessionCall): SessionRun;
}

export type MakeSession = (config: AIAgentSessionConfig) => NewSession;
