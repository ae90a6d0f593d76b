// Between a turn and the door: a batch is unfolded into its calls, one flat list, and what they came to is folded into one result again.

import { type Item, type ItemEnd, itemsOf, toBatchResult } from './batch.ts';
import { type Called, callTools } from './call-tool.ts';
import { mostStatusTurns } from './defaults.ts';
import type { Done, Waiting } from './inquire.ts';
import { callsOf, type ToolCallPart, type ToolResultPart } from './message.ts';
import type { ModelReply } from './model.ts';
import type { OpenedTool } from './operation.ts';
import type { Resumed, SessionState } from './state.ts';
import { mendStatus, saysCompleted } from './task-status.ts';
import { batchName, findTool, taskStatusName } from './tool-names.ts';
import { type ToolResult, toResultPart } from './tool-result.ts';

/** One part per call that the model made, and what each call that was run came to. */
export interface AllCalled {
  readonly parts: readonly ToolResultPart[];
  readonly results: readonly ToolResult[];
}

export function callAll(
  state: SessionState,
  reply: ModelReply,
  tools: readonly OpenedTool[],
  resumed?: Resumed,
): Promise<AllCalled | Waiting> {
  const said = unfold(state, reply, tools);
  if (said || resumed) return callUnfolded(state, { reply, said, tools, resumed });
  // Mostly: as the model said it, and for the first time.
  return callTools(state, reply, tools).then((called) => {
    state.statusTurns = 0;
    return isWaiting(called)
      ? called
      : { parts: called.map(toResultPart), results: called.map(({ result }) => result) };
  });
}

interface Unfolded {
  readonly reply: ModelReply;
  readonly said: readonly Said[] | undefined;
  readonly tools: readonly OpenedTool[];
  readonly resumed: Resumed | undefined;
}

async function callUnfolded(
  state: SessionState,
  { reply, said, tools, resumed }: Unfolded,
): Promise<AllCalled | Waiting> {
  // The list of calls hangs on the reply alone: whoever goes on with it finds each under the same number.
  const flat = said ? withCalls(reply, said.flatMap(callsIn)) : reply;
  const called = await callTools(state, flat, tools, resumed);
  if (isWaiting(called)) {
    if (said && state.paused) state.paused = { ...state.paused, reply };
    return called;
  }
  noteStatus(state, called, said !== undefined);
  const results = [...handedOver(resumed), ...called.map(({ result }) => result)];
  return { parts: said ? fold(state, said, called, resumed) : called.map(toResultPart), results };
}

function isWaiting(called: Called): called is Waiting {
  return 'question' in called || 'calls' in called;
}

/** A hand-over that was called beside what asked a person stands, though its turn had to wait. */
function handedOver(resumed: Resumed | undefined): readonly ToolResult[] {
  return Object.values(resumed?.pending.done ?? {}).filter(({ handOver }) => handOver);
}

/** A call of the model: a batch has items. */
interface Said {
  readonly part: ToolCallPart;
  readonly items?: readonly Item[];
}

/** Nothing for a reply that is handed on as it is: mostly. */
function unfold(
  { parts: { agent } }: SessionState,
  { message, finishReason }: ModelReply,
  tools: readonly OpenedTool[],
): readonly Said[] | undefined {
  const calls = callsOf(message);
  // A list that was cut is not what was meant: the door refuses it as a whole.
  if (finishReason === 'length' || !calls.some(({ name }) => mayBeOurs.test(name))) return undefined;
  const isBatch = (name: string) => agent.batch === true && isTool(batchName, name, tools);
  const isStatus = (name: string) => agent.progress !== false && isTool(taskStatusName, name, tools);
  const mend = (part: ToolCallPart) => (isStatus(part.name) ? { ...part, input: mendStatus(part.input) } : part);
  return calls.map((part) => {
    const items = isBatch(part.name) ? itemsOf(part) : undefined;
    if (!items) return { part: mend(part) };
    return { part, items: items.map((item) => (item.part ? { ...item, part: mend(item.part) } : item)) };
  });
}

const mayBeOurs = /(batch|task_status)$/;

function isTool(ours: string, called: string, tools: readonly OpenedTool[]): boolean {
  const tool = findTool(called, tools);
  return tool?.name === ours && !tool.isDenied;
}

function callsIn({ part, items }: Said): readonly ToolCallPart[] {
  return items ? items.flatMap((item) => item.part ?? []) : [part];
}

function withCalls(reply: ModelReply, content: readonly ToolCallPart[]): ModelReply {
  return { ...reply, message: { ...reply.message, content } };
}

/** What was done before a question is in the conversation already, except what came in a batch that was not whole. */
function fold(
  state: SessionState,
  said: readonly Said[],
  called: readonly Done[],
  resumed: Resumed | undefined,
): readonly ToolResultPart[] {
  const ends = new Map<number, ItemEnd>();
  for (const [index, result] of Object.entries(resumed?.pending.done ?? {})) ends.set(Number(index), { result });
  const now = new Map(called.map((done) => [done.index, done]));
  for (const [index, done] of now) ends.set(index, done);
  let index = 0;
  return said.flatMap(({ part, items }, i) => {
    if (!items) {
      const done = now.get(++index);
      return done ? [toResultPart(done)] : [];
    }
    const numbered = items.map((item) => ({ item, index: item.part ? ++index : 0 }));
    const result = toBatchResult(numbered.map(({ item, index: at }) => ({ item, ...endOf(ends.get(at)) })));
    const calls = numbered.flatMap(({ index: at }) => (at > 0 ? [at] : []));
    tellBatch(state, { part, number: i + 1, calls, result });
    return [toResultPart({ part, result })];
  });
}

function endOf(end: ItemEnd | undefined): { readonly end?: ItemEnd } {
  return end ? { end } : {};
}

interface ToldBatch {
  readonly part: ToolCallPart;
  readonly number: number;
  readonly calls: readonly number[];
  readonly result: ToolResult;
}

function tellBatch({ parts: { facts }, turn }: SessionState, { part, number, calls, result }: ToldBatch): void {
  const op = `turn.${turn}.batch.${number}`;
  facts.write({ type: 'batch-end', op, turn, calls, result }, { turn, toolName: batchName, callId: part.id });
}

/** Only calls that passed the door count; a model that tells its status and does nothing else comes to no end by itself. */
function noteStatus(state: SessionState, called: readonly Done[], mayHaveStatus: boolean): void {
  const told = mayHaveStatus ? called.filter(({ part }) => isStatusCall(state, part)) : [];
  state.statusTurns = told.length > 0 && told.length === called.length ? state.statusTurns + 1 : 0;
  if (told.some(({ part, result }) => result.status === 'ok' && saysCompleted(part.input))) state.taskEnd = 'completed';
  else if (state.statusTurns >= mostStatusTurns) state.taskEnd ??= 'idle';
}

function isStatusCall({ parts: { agent, opened } }: SessionState, { name }: ToolCallPart): boolean {
  return agent.progress !== false && isTool(taskStatusName, name, opened.tools);
}
