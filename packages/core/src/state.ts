// What one session knows while it runs: the thing that walks through loop, turn and door.

import type { ClientAnswer, ClientCall } from './client-calls.ts';
import { type Compaction, planCompaction, type SummedUp } from './compaction.ts';
import { askable, replyRoom, usableIn } from './context-room.ts';
import { compaction as bounds, defaultSettings } from './defaults.ts';
import type { FactWriter } from './facts.ts';
import type { Json } from './json.ts';
import { type UserMessage, userMessage } from './message.ts';
import type { SessionView } from './middleware.ts';
import type { ModelSettings } from './model.ts';
import type { Opened, Runtime } from './operation.ts';
import type { PendingTurn, Request } from './pauses.ts';
import { denyToo } from './place.ts';
import type { Question } from './question.ts';
import type { Setting } from './setting.ts';
import type { Step } from './step-kind.ts';
import { tokensOfContract } from './tokens.ts';
import type { ToolResult } from './tool-result.ts';
import { addTotals, noTotals, type Totals } from './totals.ts';
import type { Transcript } from './transcript.ts';

export interface SessionParts extends Setting {
  readonly settings: ModelSettings;
  readonly runtime: Runtime;
  readonly facts: FactWriter;
  readonly transcript: Transcript;
  readonly opened: Opened;
  readonly request: Request;
}

const none: readonly string[] = [];

export interface Resumed {
  readonly pending: PendingTurn;
  readonly question?: Question;
  readonly calls?: readonly ClientCall[];
  readonly answer: Json;
}

export class SessionState {
  readonly parts: SessionParts;
  turn = 0;
  replies: number;
  answersFrom = 0;
  /** The answers that were sent back in a row. */
  sentBack: readonly string[] = none;
  /** The step that it is at: what is asked now is not the model's. */
  step: Step | undefined;
  isOutputTold: boolean;
  hasKeptOutput: boolean;
  /** Why its model gets no more tools, though no limit is reached. */
  taskEnd: SessionView['taskEnd'] = null;
  /** Turns in a row whose calls only told a status. */
  statusTurns = 0;
  /** What this session and everything below it has used so far. */
  usage: Totals = noTotals;
  /** The turn this session waits in, when it ends with a question. */
  paused: PendingTurn | undefined;
  /** Which message of its conversation is the request at hand. */
  requestAt: number;
  /** Before which turn it was last summed up, and before how many in a row. */
  #summed = { turn: 0, inARow: 0 };
  /** How often in a row a later model had to answer. */
  #passedOver = 0;
  #resumed: Resumed | undefined;
  #instances: Map<string, number> | undefined;
  /** Of each kept child, oldest first. */
  #sessions: Map<string, string[]> | undefined;
  #view: View | undefined;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.isOutputTold = !parts.isOutputAsked;
    if (parts.isOutputAsked && wasOutputTold(parts)) this.#tellOutput();
    this.requestAt = parts.request.at;
    this.#resumed = parts.opened.resumed;
    if (parts.opened.resumed?.denials) denyToo(parts.place, parts.opened.resumed.denials);
    // A conversation that is gone on with may tell of results that were kept aside.
    this.hasKeptOutput = parts.transcript.hasHandles();
    // The reply that asked was one of its own, unless the house asked.
    this.replies = this.#resumed && !this.#resumed.pending.step ? 1 : 0;
    for (const [tool, { sessionId, messages }] of Object.entries(this.#resumed?.pending.kept ?? {})) {
      this.nextSession(tool, sessionId);
      parts.facts.recall(sessionId, messages);
    }
  }

  /** A model has answered: with calls or without. */
  countReply(by: { readonly provider: string; readonly model: string }): void {
    this.replies++;
    const isIt = ({ provider, model }: typeof by) => provider === by.provider && model === by.model;
    const index = Math.max(0, this.parts.opened.models.findIndex(isIt));
    this.#passedOver = index > this.answersFrom ? this.#passedOver + 1 : 0;
    // One failure may pass; who fails twice in a row is not counted on.
    if (index < this.answersFrom || this.#passedOver > 1) this.answersFrom = index;
  }

  spend(totals: Totals): void {
    this.usage = addTotals(this.usage, totals);
  }

  /** The same of what sessions used for a call: the one that did the work, or those that were run during it. */
  spendBelow({ session, inside }: ToolResult): void {
    const used = session?.usage ?? inside?.usage;
    if (used) this.spend(used);
  }

  /** The answer goes back to the model: with what was wrong, or with the contract that its caller asked for. */
  sendBack(text: string, tellsOutput: boolean | undefined): void {
    if (tellsOutput) this.#tellOutput();
    else this.sentBack = [...this.sentBack, text];
  }

  /** From now on the schema that the caller asked for goes with each request. */
  #tellOutput(): void {
    this.isOutputTold = true;
    this.parts.transcript.addToEveryRequest(tokensOfContract(this.parts.output));
  }

  /** How its conversation would be made shorter; undefined when it may not be, or that would be of no use. */
  planCompaction(): Compaction | undefined {
    const { agent, transcript, opened } = this.parts;
    const { turn, inARow } = this.#summed;
    const isTried = turn === this.turn || (this.turn - turn <= 1 && inARow >= bounds.inARow);
    // A turn that is gone on with has its reply already.
    if (agent.compaction === false || isTried || this.#resumed) return undefined;
    const models = askable({ models: opened.models, answersFrom: this.answersFrom });
    const model = models.reduce((one, other) => (usableIn(other) > usableIn(one) ? other : one));
    const { maxOutputTokens } = this.view();
    const fit = { usableTokens: usableIn(model), maxOutputTokens, replyTokens: replyRoom(model, { maxOutputTokens }) };
    return planCompaction({ ...transcript.measured(), request: this.requestAt }, fit);
  }

  /** It is tried, before this turn: whatever comes of it. */
  countSummary(): void {
    const { turn, inARow } = this.#summed;
    this.#summed = { turn: this.turn, inARow: this.turn - turn <= 1 ? inARow + 1 : 1 };
  }

  compact({ from, request }: Compaction, summary: UserMessage): SummedUp {
    const summedUp = { summary, from, ...(request === undefined ? {} : { request }) };
    this.requestAt = this.parts.transcript.compact(summedUp)(this.requestAt);
    return summedUp;
  }

  /** The turn, or the step, that waited for an answer: it is gone on with once. */
  takeResumed(isStep = false): Resumed | undefined {
    if (isStep !== (this.#resumed?.pending.step !== undefined)) return undefined;
    const resumed = this.#resumed;
    this.#resumed = undefined;
    return resumed;
  }

  /** The next number of this label in the session, from one. */
  nextInstance(label: string): number {
    this.#instances ??= new Map();
    const number = (this.#instances.get(label) ?? 0) + 1;
    this.#instances.set(label, number);
    return number;
  }

  /** The session of this tool before, and from now on this one. */
  nextSession(tool: string, sessionId: string): string | undefined {
    this.#sessions ??= new Map();
    const sessions = this.#sessions.get(tool) ?? [];
    this.#sessions.set(tool, sessions);
    const before = sessions.at(-1);
    sessions.push(sessionId);
    return before;
  }

  /** What kept children have said, for whoever goes on with this session. */
  keptConversations(): PendingTurn['kept'] {
    const { facts } = this.parts;
    const kept = [...(this.#sessions ?? [])].flatMap(([tool, sessions]) => {
      const sessionId = sessions.findLast((id) => facts.conversationOf(id));
      const messages = sessionId === undefined ? undefined : facts.conversationOf(sessionId);
      return sessionId === undefined || !messages ? [] : [[tool, { sessionId, messages: [...messages] }] as const];
    });
    return Object.fromEntries(kept);
  }

  /** What decisions may look at, as it stands. */
  view(): SessionView {
    this.#view ??= new View(this);
    return this.#view;
  }
}

/** Whoever goes on in the middle of a conversation may go on behind the contract. */
function wasOutputTold({ output, texts, transcript, request }: SessionParts): boolean {
  const told = userMessage(texts.convert(output.schema));
  const since = transcript.view().slice(request.at + 1);
  return since.some((message) => message.role === 'user' && JSON.stringify(message) === JSON.stringify(told));
}

/** One per session, not one per decision: there are many of those. */
class View implements SessionView {
  readonly #state: SessionState;

  constructor(state: SessionState) {
    this.#state = state;
  }

  get place() {
    return this.#state.parts.place;
  }

  get limits() {
    return this.#state.parts.limits;
  }

  get output() {
    return this.#state.parts.output;
  }

  get texts() {
    return this.#state.parts.texts;
  }

  /** What a partner cannot know, the model that is its caller's does not either. */
  get ask() {
    const { agent, place } = this.#state.parts;
    return place.partner ? 'person' : (agent.ask ?? 'caller');
  }

  get models() {
    return this.#state.parts.opened.models;
  }

  get answersFrom() {
    return this.#state.answersFrom;
  }

  get turn() {
    return this.#state.turn;
  }

  get replies() {
    return this.#state.replies;
  }

  get isOutputTold() {
    return this.#state.isOutputTold;
  }

  get repairs() {
    return this.#state.sentBack.length;
  }

  get sentBack() {
    return this.#state.sentBack;
  }

  get usage() {
    return this.#state.usage;
  }

  get contextTokens() {
    return this.#state.parts.transcript.tokens;
  }

  get maxOutputTokens() {
    return this.#state.parts.settings.maxOutputTokens ?? defaultSettings.maxOutputTokens;
  }

  get canSumUp() {
    return this.#state.planCompaction() !== undefined;
  }

  get hasKeptOutput() {
    return this.#state.hasKeptOutput;
  }

  get saidWithResults() {
    const { calls, answer } = this.#state.parts.opened.resumed ?? {};
    return calls ? ((answer as unknown as ClientAnswer).say ?? null) : null;
  }

  get taskEnd() {
    return this.#state.taskEnd;
  }
}
