// The tree a timeline draws, folded from facts: sessions, their turns, model calls and tool calls. Payloads are heads.

import { payloadHead } from '../defaults.ts';
import type { Ending } from '../ending.ts';
import type { Failure } from '../errors.ts';
import type {
  AgentEvent,
  Fact,
  ModelEnd,
  ModelStart,
  SessionEnd,
  SessionStart,
  ToolEnd,
  ToolStart,
  TurnStart,
} from '../events.ts';
import type { JsonObject } from '../json.ts';
import { type Message, textOf } from '../message.ts';
import type { ChildCall, Continued } from '../missing-call.ts';
import { isCutOff, totalsOfCall } from '../model-requests.ts';
import { isInside, type PartnerRole } from '../place.ts';
import { roleIn, type StepKind } from '../step-kind.ts';
import { head } from '../text.ts';
import type { Totals } from '../totals.ts';
import type { Trace } from '../trace.ts';
import type { Usage } from '../usage.ts';
import { labelAgents } from './agent-labels.ts';
import { type IsNews, onlyNews } from './news.ts';

export interface SessionNode {
  readonly type: 'session';
  readonly trace: Trace;
  /** Path of its agent below the folder of its team. Missing for an agent without a file. */
  readonly agentPath?: string;
  /** What its agent is to the one that called, when it works on the same request. */
  readonly partner?: PartnerRole;
  /** The session that it continues, which asked a question or ended without an answer, and the children missing there. */
  readonly continues?: Continued;
  /** Its instance name with enough of the path. Present if another agent of the tree has the same name. */
  label?: string;
  title: string | null;
  status: 'running' | Ending['status'];
  startedAt: number;
  endedAt?: number;
  /** The head of what it was asked. */
  input: string;
  /** The head of what it answered. */
  output?: string;
  /** Whether it gave an earlier answer again, and did nothing. */
  isCached?: true;
  limit?: string;
  failure?: Failure;
  usage?: Totals;
  /** What its answer says to plugins, by their names. */
  metadata?: JsonObject;
  turns: TurnNode[];
}

export interface TurnNode {
  readonly type: 'turn';
  readonly trace: Trace;
  readonly number: number;
  /** What the house does in it, when it is no turn of the model. */
  readonly step?: StepKind;
  readonly startedAt: number;
  endedAt?: number;
  limit?: string;
  operations: OperationNode[];
}

export type OperationNode = ModelNode | ToolNode;

interface OperationFields {
  readonly op: string;
  readonly trace: Trace;
  status: 'running' | 'ok' | 'failed' | 'refused' | 'cancelled';
  /** When it was asked for; the time until `startedAt` was spent waiting. */
  readonly requestedAt: number;
  startedAt?: number;
  endedAt?: number;
  output?: string;
  failure?: Failure;
}

export interface ModelNode extends OperationFields {
  readonly type: 'model';
  provider: string;
  model: string;
  /** Usage of the reply alone. */
  usage?: Usage;
  costUsd?: number;
  /** Sum over all its requests, failed ones included. Known when the call has ended. */
  total?: Totals;
}

export interface ToolNode extends OperationFields {
  readonly type: 'tool';
  readonly label: string;
  readonly instance: string;
  readonly title: string | null;
  /** What the agent that is called is to the one that calls, when it works on the same request. */
  readonly partner?: PartnerRole;
  readonly input: string;
  /** The agent that the call runs. Missing for a call that runs none. */
  readonly child?: ChildCall;
  /** The id of the batch it came in. */
  readonly batch?: string;
  bytesOut?: number;
  /** The session that does the work, when one does. */
  session?: SessionNode;
  /** Sessions that the tool ran during its work. */
  inside?: SessionNode[];
}

export class OpTreeFold {
  readonly #isNews: IsNews;
  readonly #sessions = new Map<string, SessionNode>();
  /** The first session of each agent, by agent id. */
  readonly #agents = new Map<string, SessionNode>();
  #labels = labelAgents([]);
  #root: SessionNode | undefined;

  constructor(isNews = onlyNews()) {
    this.#isNews = isNews;
  }

  add(event: AgentEvent): void {
    if (event.kind === 'fact' && this.#isNews(event)) this.#addFact(event);
  }

  /** The tree so far; undefined before its first session. */
  tree(): SessionNode | undefined {
    return this.#root;
  }

  session(id: string): SessionNode | undefined {
    return this.#sessions.get(id);
  }

  #addFact(fact: Fact): void {
    if (fact.type === 'session-start') this.#startSession(fact);
    const session = this.#sessions.get(fact.trace.selfId);
    if (!session) return;
    const turn = session.turns.at(-1);
    if (fact.type === 'turn-start') session.turns = session.turns.concat(toTurnNode(fact));
    if (fact.type === 'turn-end' && turn) turn.endedAt = fact.at;
    if (fact.type === 'model-start') startOperation(turn, toModelNode(fact));
    if (fact.type === 'tool-start') startOperation(turn, toToolNode(fact, turn?.step));
    if (fact.type === 'model-end') endModel(operationIn(session, fact.op), fact);
    if (fact.type === 'tool-end') endTool(operationIn(session, fact.op), fact);
    if (fact.type === 'session-end') endSession(session, fact);
  }

  #startSession(fact: SessionStart): void {
    const input = head(promptOf(fact.messages), payloadHead);
    const node: SessionNode = {
      type: 'session',
      trace: fact.trace,
      title: fact.title,
      status: 'running',
      startedAt: fact.at,
      input,
      turns: [],
      ...(fact.agentPath === undefined ? {} : { agentPath: fact.agentPath }),
      ...(fact.partner ? { partner: fact.partner } : {}),
      ...(fact.continues ? { continues: fact.continues } : {}),
    };
    this.#sessions.set(fact.trace.selfId, node);
    this.#label(node);
    const parent = this.#sessions.get(fact.trace.parentId ?? '');
    const caller = parent && fact.callerOp !== null ? operationIn(parent, fact.callerOp) : undefined;
    if (caller?.type !== 'tool') this.#root ??= node;
    else if (isInside(fact.trace.selfId.slice(fact.trace.parentId?.length)))
      caller.inside = [...(caller.inside ?? []), node];
    else caller.session = node;
  }

  /** A new agent may change the labels of others. */
  #label(node: SessionNode): void {
    const isNew = !this.#agents.has(node.trace.agentId);
    if (isNew) {
      this.#agents.set(node.trace.agentId, node);
      this.#labels = labelAgents([...this.#agents.values()]);
    }
    for (const session of isNew ? this.#sessions.values() : [node]) {
      const { agentId, agentName, instanceName } = session.trace;
      const label = this.#labels.get(agentId) ?? agentName;
      if (label !== agentName && instanceName.replace(/\[\d+\]$/, '') === agentName)
        session.label = `${label}${instanceName.slice(agentName.length)}`;
    }
  }
}

/** The name of a session for people. */
export function nameOfSession({ label, trace }: SessionNode): string {
  return label ?? trace.instanceName;
}

export function opTreeOf(events: Iterable<AgentEvent>): SessionNode | undefined {
  const fold = new OpTreeFold();
  for (const event of events) fold.add(event);
  return fold.tree();
}

/** The operation of this name, in a session that is not over. Mostly it is of the last turn. */
function operationIn({ status, turns }: SessionNode, op: string): OperationNode | undefined {
  if (status !== 'running') return undefined;
  for (let i = turns.length - 1; i >= 0; i--)
    for (const operation of turns[i]?.operations ?? []) if (operation.op === op) return operation;
  return undefined;
}

function startOperation(turn: TurnNode | undefined, node: OperationNode): void {
  if (turn) turn.operations = turn.operations.concat(node);
}

function endSession(session: SessionNode, { ending, endedAt, usage }: SessionEnd): void {
  session.status = ending.status;
  session.endedAt = endedAt;
  session.output = head(ending.text, payloadHead);
  session.usage = usage;
  if (ending.status === 'completed' && ending.isCached) session.isCached = true;
  if ('limit' in ending) session.limit = ending.limit;
  if ('failure' in ending) session.failure = ending.failure;
  if (ending.metadata) session.metadata = ending.metadata;
  for (const turn of session.turns) {
    turn.endedAt ??= endedAt;
    for (const operation of turn.operations) {
      if (operation.status !== 'running') continue;
      operation.status = 'cancelled';
      operation.endedAt = endedAt;
    }
  }
}

function toTurnNode({ trace, turn, at, limit, step }: TurnStart): TurnNode {
  const node: TurnNode = { type: 'turn', trace, number: turn, startedAt: at, operations: [] };
  return limit || step ? { ...node, ...(limit ? { limit } : {}), ...(step ? { step } : {}) } : node;
}

function toModelNode({ op, trace, at, provider, model }: ModelStart): ModelNode {
  return { type: 'model', op, trace, status: 'running', requestedAt: at, provider, model };
}

function toToolNode(fact: ToolStart, step: StepKind | undefined): ToolNode {
  const { op, trace, label, instance, title, call, at, batch, child } = fact;
  return {
    type: 'tool',
    op,
    trace,
    status: 'running',
    requestedAt: at,
    label,
    instance,
    title,
    input: head(call.input, payloadHead),
    ...(child ? { child } : {}),
    ...(batch === undefined ? {} : { batch }),
    ...(step && step !== 'summary' ? { partner: roleIn(step) } : {}),
  };
}

function endModel(node: OperationNode | undefined, end: ModelEnd): void {
  if (node?.type !== 'model') return;
  const { startedAt, endedAt, reply, failure, provider, model, requests } = end;
  const isSent = requests.some(({ status }) => status !== 'refused');
  const status = reply ? 'ok' : !isSent ? 'refused' : isCutOff(failure) ? 'cancelled' : 'failed';
  Object.assign(node, { status, startedAt, endedAt, provider, model, total: totalsOfCall(end) });
  if (failure) node.failure = failure;
  if (!reply) return;
  node.usage = reply.usage;
  node.output = head(textOf(reply.message), payloadHead);
  if (reply.costUsd !== undefined) node.costUsd = reply.costUsd;
}

function endTool(node: OperationNode | undefined, { startedAt, endedAt, bytesOut, result }: ToolEnd): void {
  if (node?.type !== 'tool') return;
  Object.assign(node, { status: result.status, startedAt, endedAt, bytesOut, output: head(result.text, payloadHead) });
  if (result.failure) node.failure = result.failure;
}

function promptOf(messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (last?.role !== 'user') return '';
  return last.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('');
}
