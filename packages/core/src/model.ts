// What a model is: one call that answers a conversation, streaming when somebody listens.

import type { Calling } from './calling.ts';
import type { EnvOverlay } from './env.ts';
import type { JsonSchema } from './json.ts';
import type { Lane } from './lane.ts';
import type { AssistantMessage, Message } from './message.ts';
import type { Price } from './price.ts';
import type { Usage } from './usage.ts';

export interface Model {
  readonly provider: string;
  readonly model: string;
  /** How many tokens a conversation may have. @default the agent's contextWindowTokens */
  readonly contextWindowTokens?: number;
  /** How many of these are left free. @default the agent's contextBufferTokens */
  readonly contextBufferTokens?: number;
  /** What it costs, where whoever opened it knows; `reported` when each reply says so. The `prices` port has the first word. @default unknown */
  readonly price?: Price | 'reported';
  /** How many tokens a text is, where somebody can count them. @default an estimate */
  readonly countTokens?: (text: string) => number;
  /** Input tokens that the provider adds to each request with tools, for example for instructions of its own. @default 0 */
  readonly toolPromptTokens?: number;
  /** Media types of files that it takes with a prompt, where whoever made it knows: `image/png`. @default unknown */
  readonly attachments?: readonly string[];
  /** Who may ask it when. @default everybody at once */
  readonly lane?: Lane;
  /**
   * One request, one reply. Rejects with an AgentError whose class was decided from the provider's own answer;
   * a reply that was cut off on the way is a rejection too, never half an answer.
   */
  call(request: ModelRequest, context: ModelContext): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Tools of the conversation that must not be called now, for providers that want them named nevertheless. */
  readonly withheld?: readonly ToolSpec[];
  /** The agent's output contract, for providers that can enforce one. */
  readonly output: OutputContract;
  readonly settings: ModelSettings;
}

export interface ModelSettings {
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Above 1 repeats are made less likely. */
  readonly repeatPenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  /** How hard it thinks before it answers. Left out, as its provider has it. */
  readonly reasoning?: ReasoningLevel;
  /** Tokens it may think with; goes before `reasoning`. 0 is none. */
  readonly reasoningTokens?: number;
  /** Whether the provider is asked to keep the beginning of the conversation. @default 'full' */
  readonly caching?: 'full' | 'none';
  /** Whether it streams. @default while somebody listens */
  readonly stream?: boolean;
}

/** From no thought at all to the hardest. */
export const reasoningLevels = ['none', 'minimal', 'low', 'medium', 'high'] as const;

export type ReasoningLevel = (typeof reasoningLevels)[number];

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether it only looks, where it says so. Not for providers: for a model that calls without understanding. */
  readonly readOnly?: boolean;
}

/** What the final report must be. */
export interface OutputContract {
  readonly format: 'text' | 'markdown' | 'json';
  /** With json: the report is validated against it, and never reaches a caller otherwise. */
  readonly schema?: JsonSchema;
}

export interface ModelContext {
  readonly signal: AbortSignal;
  /** Given only when somebody listens; without it a model need not stream. */
  readonly onDelta?: (delta: ModelDelta) => void;
  /**
   * Takes the tokens used so far, whenever the provider reports them before the end. A request that fails counts with the
   * figures reported here; without any, its usage is unknown. Report zeros if the request never reached the model.
   */
  readonly onUsage?: (usage: Usage) => void;
  /** Told whenever a part of a reply arrives, whatever it is: who streams is waited for as long as something comes. */
  readonly onAlive?: () => void;
  /** Who asks: a model that is an agent on this machine is told whom it serves. */
  readonly calling?: Calling;
}

export interface ModelDelta {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other';

export interface ModelReply {
  readonly message: AssistantMessage;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Money, when the provider itself says what the call cost. */
  readonly costUsd?: number;
  /** The model that really answered, when the provider says so. */
  readonly servedBy?: string;
  /** The budget, `tokens` or `costUsd`, that cut this reply short. Set by the budget. */
  readonly shortenedBy?: string;
}

/** A model with a set-up of its own, opened for each session with that session's variables. */
export interface ModelSource {
  readonly provider: string;
  readonly model: string;
  /** As the model itself says it, before it is opened. @default unknown */
  readonly attachments?: readonly string[];
  open(options: ModelResolverOptions): Model | Promise<Model>;
}

export interface ModelResolverOptions {
  /** The session's own variables; nothing else of the environment may be read. */
  readonly env: EnvOverlay;
  /** Takes a value that filled a key or a header: from then on no fact, error or report of the tree shows it. */
  readonly hide?: (secret: string) => void;
}

/** A model, one to be opened, or `provider/model`, which the `models` port resolves; the last two for each session anew. */
export type ModelRef = string | Model | ModelSource;
