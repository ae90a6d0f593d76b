// The whole public surface of core, by hand. Adding a name here is a promise.

export type { Scope } from './abort.ts';
export type { Agent, InputContract, PromptContext } from './agent.ts';
export { defineAgent } from './agent.ts';
export type { Limits } from './defaults.ts';
export { defaultLimits, defaultSettings } from './defaults.ts';
export type { Cancelled, Completed, Ending, Failed, Stopped } from './ending.ts';
export {
  AgentError,
  type AgentErrorOptions,
  catalogue,
  type ErrorCode,
  type Failure,
  type FailureClass,
  isAgentError,
  toFailure,
} from './errors.ts';
export type { AgentEvent, Fact, Hint } from './events.ts';
export { type Conversations, conversationsOf } from './folds/conversations.ts';
export { type FinLine, type FinSummary, finSummaryOf, moneyOf } from './folds/fin-summary.ts';
export { type Ledger, type LedgerEntry, LedgerFold, ledgerOf, type SessionTotals } from './folds/ledger.ts';
export { type LogRecord, toLogLine, toLogRecord } from './folds/log-record.ts';
export {
  type OperationNode,
  OpTreeFold,
  opTreeOf,
  type SessionNode,
  type ToolNode,
  type TurnNode,
} from './folds/op-tree.ts';
export type { Json, JsonObject, JsonSchema } from './json.ts';
export { isObject } from './json.ts';
export type {
  AssistantMessage,
  FilePart,
  Message,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from './message.ts';
export { callsOf, textOf, userMessage } from './message.ts';
export type {
  CallPlan,
  Decide,
  Middleware,
  ModelWork,
  Perform,
  Refusal,
  SessionView,
  ToolWork,
  TurnPlan,
  Verdict,
} from './middleware.ts';
export type {
  FinishReason,
  Model,
  ModelContext,
  ModelDelta,
  ModelRef,
  ModelReply,
  ModelRequest,
  ModelSettings,
  OutputContract,
  ToolSpec,
  Usage,
} from './model.ts';
export type {
  ModelResult,
  Opened,
  OpenedTool,
  Operation,
  ResultOf,
  Runtime,
  SessionOperation,
  Settled,
  TaskOperation,
  ToolCall,
} from './operation.ts';
export type { Outcome } from './outcome.ts';
export type { Place } from './place.ts';
export type { Clock, EnvOverlay, Ids, ModelResolver, ModelResolverOptions, Ports } from './ports.ts';
export { inProcess } from './runtime/in-process.ts';
export { type Journal, type JournalEntry, journaled, MemoryJournal } from './runtime/journal.ts';
export type { RuntimeFactory, Workplace } from './runtime.ts';
export { AIAgentSession, ask } from './session.ts';
export type { AIAgentSessionConfig, SessionRun } from './session-config.ts';
export type { AgentTool, AsToolOptions, ParentContext } from './sub-agent.ts';
export { agentTool, asTool } from './sub-agent.ts';
export { oneLine } from './text.ts';
export type { Texts } from './texts.ts';
export { defaultTexts } from './texts.ts';
export type {
  FailOptions,
  SessionTool,
  SourceContext,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolOffer,
  ToolOutput,
  ToolSource,
  ToolSourceFactory,
} from './tool.ts';
export { defineTool, fail } from './tool.ts';
export { agentToolName, toSafeName } from './tool-names.ts';
export type { SessionResult, ToolResult } from './tool-result.ts';
export { addTotals, noTotals, type Totals } from './totals.ts';
export type { Trace } from './trace.ts';
