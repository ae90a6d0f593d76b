// The whole public surface of core, by hand. Adding a name here is a promise.

export { Scope } from './abort.ts';
export { checkAbove } from './above.ts';
export type {
  Agent,
  Hints,
  Hold,
  InputContract,
  PromptContext,
  ReportCompletion,
  ReportPlugin,
} from './agent.ts';
export { checkDepth, defineAgent, isTooDeep, levelsOf, mayAsk } from './agent.ts';
export { type AgentInput, inputFailure, toAgentInput, toPrompt } from './agent-input.ts';
export { idOf, readAncestor, toAncestor } from './agent-key.ts';
export { type BranchOptions, runBranch } from './branch.ts';
export { type Budget, checkBudget, narrower, type Spent } from './budget.ts';
export type { BudgetPort, Grant, Need, NewAccount, Used } from './budget-port.ts';
export {
  type CallerFacts,
  type Calling,
  callerHeaders,
  callingFrom,
  factsOfCaller,
  headersOfCaller,
  isHere,
} from './calling.ts';
export { type ChildSession, childOf } from './child-session.ts';
export type { ClientAnswer, ClientCall, ClientResult } from './client-calls.ts';
export { type ClientToolSpec, clientTool } from './client-tool.ts';
export type { SummedUp } from './compaction.ts';
export type { Limits } from './defaults.ts';
export {
  defaultBudget,
  defaultLimits,
  defaultSettings,
  leastLimits,
  mostLevels,
  payloadHead,
  pluginTime,
} from './defaults.ts';
export type { Cancelled, Completed, Ending, Failed, NeedsClientTools, NeedsUserInput, Stopped } from './ending.ts';
export { type EnvOverlay, isSecretName } from './env.ts';
export {
  AgentError,
  type AgentErrorOptions,
  catalogue,
  type ErrorCode,
  type Failure,
  type FailureClass,
  isAgentError,
  isCancellation,
  messageOf,
  toFailure,
} from './errors.ts';
export type { AgentEvent, Fact, Hint } from './events.ts';
export { FairQueue, type Judgement } from './fair-queue.ts';
export { inOneLine, isBase64 } from './file-part.ts';
export { shortCost, shortCount, shortTokens } from './folds/amounts.ts';
export { type Conversations, conversationsOf } from './folds/conversations.ts';
export { type FinLine, type FinSummary, finSummaryOf, moneyOf, tokenWords } from './folds/fin-summary.ts';
export { incompleteIn } from './folds/incomplete.ts';
export { type Ledger, type LedgerEntry, LedgerFold, ledgerOf, type SessionTotals } from './folds/ledger.ts';
export { type LogRecord, toLogLine, toLogRecord } from './folds/log-record.ts';
export {
  nameOfSession,
  type OperationNode,
  OpTreeFold,
  opTreeOf,
  type SessionNode,
  type ToolNode,
  type TurnNode,
} from './folds/op-tree.ts';
export { type AnswerText, isOfAnswer, Written } from './folds/written.ts';
export { toMatcher } from './glob.ts';
export { continuationOf, withUsage } from './go-on.ts';
export type { Inside } from './inside.ts';
export type { RunInsideOptions } from './inside-session.ts';
export type { Json, JsonObject, JsonSchema } from './json.ts';
export { isObject, sizeOf } from './json.ts';
export {
  firstRound,
  forgotten,
  incompleteCountOf,
  type Keeper,
  type KeptRound,
  type NewHead,
  nextHead,
  nextRound,
  type RoundEnd,
  roundIdOf,
  roundNumberOf,
  type Waits,
  waitsOf,
} from './kept-round.ts';
export { withoutKeys } from './key-shapes.ts';
export type { Entrant, Lane, Leave } from './lane.ts';
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
  Inquiry,
  Middleware,
  ModelChoice,
  ModelWork,
  Next,
  Perform,
  Refusal,
  SessionView,
  ToolWork,
  TurnPlan,
  Unanswered,
  Verdict,
  Wait,
} from './middleware.ts';
export type { Continued, IncompleteChild, MissingCall } from './missing-call.ts';
export type {
  FinishReason,
  Model,
  ModelContext,
  ModelDelta,
  ModelRef,
  ModelReply,
  ModelRequest,
  ModelResolverOptions,
  ModelSettings,
  ModelSource,
  OutputContract,
  ReasoningLevel,
  ToolSpec,
} from './model.ts';
export { reasoningLevels } from './model.ts';
export { totalsOfCall } from './model-requests.ts';
export { nearest } from './nearest.ts';
export type {
  ListOptions,
  MessageOperation,
  ModelRequestRecord,
  ModelResult,
  OnSettled,
  Opened,
  OpenedModel,
  OpenedTool,
  Operation,
  ResultOf,
  Runtime,
  SessionOperation,
  Settled,
  TaskOperation,
  TimerOperation,
  ToolCall,
} from './operation.ts';
export { failureForCaller, jsonReportOf, type Outcome, outcomeOf } from './outcome.ts';
export { toFailedDocument, toOutcomeDocument } from './outcome-document.ts';
export type { ToolOutputSetting } from './output-setting.ts';
export { MemoryOutputs, type OutputStore } from './outputs.ts';
export { asPartner } from './partner.ts';
export { type Partner, type PartnerArguments, type Router, resultOf } from './partners.ts';
export { MemoryPauses, type Paused, type PauseStore, type PendingTurn, type Request } from './pauses.ts';
export type { Permissions } from './permissions.ts';
export { type Above, type Denials, type PartnerRole, type Place, toRoleSuffix } from './place.ts';
export type { Clock, Ids, ModelResolver, PluginWork, Ports, RunPorts } from './ports.ts';
export { type Prefix, type Prefixes, prefixesOf } from './prefix.ts';
export { costOf, type Price, type PriceResolver, type PriceTier } from './price.ts';
export { type Question, readAnswer } from './question.ts';
export type { FinalReport, PluginRequirements, PluginRunOptions } from './report-plugin.ts';
export {
  MemoryCache,
  type MemoryCacheOptions,
  type ResponseCaching,
  type ResultCache,
  type ToolCaching,
} from './result-cache.ts';
export type { OnQuestion } from './run.ts';
export { runInside } from './run-inside.ts';
export { inProcess } from './runtime/in-process.ts';
export { type Journal, type JournalEntry, journaled, MemoryJournal } from './runtime/journal.ts';
export { type Began, type RuntimeFactory, type StartElsewhere, scopeOf, type Workplace } from './runtime.ts';
export { checkSchema, type Guard, guardSchema, ownSchema } from './schema.ts';
export { AIAgentSession, ask } from './session.ts';
export type { AIAgentSessionConfig, SessionRun } from './session-config.ts';
export { type Recording, SessionRecord } from './session-record.ts';
export {
  compareNames,
  isUnderWay,
  limitOf,
  type NoteStore,
  type SessionHead,
  type SessionQuery,
  type SessionStatus,
  type SessionStore,
  sessionStatuses,
  takesTime,
  withoutEnd,
} from './session-store.ts';
export { showInstructions } from './show-instructions.ts';
export { sleep } from './sleep.ts';
export { createSlots, type Gate, type Slots, type SlotsOptions } from './slots.ts';
export type { PartnerStep, Step, StepKind } from './step-kind.ts';
export type { AgentTool, AsToolOptions, ParentContext } from './sub-agent.ts';
export { agentTool, asTool, readCall } from './sub-agent.ts';
export { hash, head, oneLine, utf8Bytes } from './text.ts';
export type {
  CameAlong,
  CutOutput,
  Destination,
  FindingsToJoin,
  Handed,
  KeptOutput,
  OutputToRead,
  OutputToSearch,
  PartToSumUp,
  Said,
  SaidBy,
  SaidEarlier,
  WantedMetadata,
} from './text-material.ts';
export { defaultTexts, type Texts } from './texts.ts';
export { tokensOf } from './tokens.ts';
export type {
  Caller,
  FailOptions,
  Inherited,
  SessionTool,
  SourceContext,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolOffer,
  ToolOutput,
  ToolQuestion,
  ToolSource,
  ToolSourceFactory,
  WorkingCaller,
} from './tool.ts';
export { defineTool, fail } from './tool.ts';
export { agentToolName, toSafeName } from './tool-names.ts';
export type { LeaveQueue, QueuedCall, ToolQueue } from './tool-queue.ts';
export type { InsideResult, SessionResult, ToolResult } from './tool-result.ts';
export { addTotals, noTotals, type Totals } from './totals.ts';
export type { Trace } from './trace.ts';
export type { Usage } from './usage.ts';
export { MemoryWorkspace, type WorkspaceEntry, type WorkspaceStore } from './workspace-store.ts';
