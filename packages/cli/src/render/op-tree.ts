// The whole tree of a run after its end: sessions, their turns, model calls and tool calls, with time, tokens and money.

import {
  nameOfSession,
  type OperationNode,
  oneLine,
  type SessionNode,
  shortCost,
  shortTokens,
  type Totals,
} from '@ai-agent/core';
import { inTime } from './figures.ts';
import { toRolePrefix } from './role.ts';

type ModelNode = Extract<OperationNode, { type: 'model' }>;
type ToolNode = Extract<OperationNode, { type: 'tool' }>;

/** Lines that are as long as they need to be: they are for reading at leisure, in a file or a pager. */
export function drawOpTree(root: SessionNode): readonly string[] {
  return drawSession(root, '', '');
}

function drawSession(session: SessionNode, here: string, below: string): readonly string[] {
  const { status, title, turns, usage, limit, failure } = session;
  const figures = [
    limit === undefined ? status : `${status} (${limit})`,
    ...(session.isCached ? ['from cache'] : []),
    ...(failure ? [`${failure.class}: ${toClause(failure.message)}`] : []),
    ...(usage ? [shortTokens(usage)] : []),
    ...(usage && (usage.costUsd > 0 || usage.unknownCostCalls > 0) ? [shortCost(usage)] : []),
    ...(session.endedAt === undefined ? [] : [inTime(session.endedAt - session.startedAt)]),
  ];
  const name = `${toRolePrefix(session.partner)}${oneLine(nameOfSession(session))}${title === null ? '' : ` "${oneLine(title)}"`}`;
  const branches = turns.flatMap((turn) =>
    turn.operations.map((operation) => ({
      // A step of another kind shows whom it calls.
      turn: turn.step === 'summary' ? `${turn.number}. summary` : `${turn.number}.`,
      operation,
    })),
  );
  return [
    `${here}${name}: ${figures.join(', ')}`,
    ...branches.flatMap(({ turn, operation }, i) => {
      const isLast = i === branches.length - 1;
      return drawOperation(operation, turn, [below + (isLast ? '`- ' : '|- '), below + (isLast ? '   ' : '|  ')]);
    }),
  ];
}

function drawOperation(operation: OperationNode, turn: string, [here, below]: [string, string]): readonly string[] {
  if (operation.type === 'model') return [`${here}${turn} ${drawModel(operation)}`];
  const start = `${here}${turn} ${operation.batch === undefined ? '' : 'in a batch: '}`;
  if (operation.session) return drawSession(operation.session, start, below);
  const inside = operation.inside ?? [];
  const deeper = (isLast: boolean): [string, string] => [
    below + (isLast ? '`- ' : '|- '),
    below + (isLast ? '   ' : '|  '),
  ];
  return [
    `${start}${drawTool(operation)}`,
    ...inside.flatMap((session, i) => drawSession(session, ...deeper(i === inside.length - 1))),
  ];
}

function drawModel(node: ModelNode): string {
  const { provider, model, total } = node;
  const figures = [...(total && total.modelCalls > 0 ? usedBy(total) : []), ...ending(node)];
  return `model ${oneLine(`${provider}/${model}`)}: ${figures.join(', ')}`;
}

/** Tokens and money of all requests of a call; `+?` where some of them are unknown. */
function usedBy({ modelCalls, inputTokens, outputTokens, unknownUsageCalls, ...money }: Totals): readonly string[] {
  const more = unknownUsageCalls > 0 ? '+?' : '';
  return [
    `${inputTokens}${more} in + ${outputTokens}${more} out tokens`,
    shortCost(money),
    ...(modelCalls > 1 ? [`${modelCalls} requests`] : []),
  ];
}

function drawTool(node: ToolNode): string {
  const size = node.bytesOut === undefined ? [] : [`${node.bytesOut} B`];
  const what = node.partner ? toRolePrefix(node.partner) : 'tool ';
  return `${what}${oneLine(node.instance)}: ${[...size, ...ending(node)].join(', ')}`;
}

/** A sentence that goes on after it. */
function toClause(message: string): string {
  return oneLine(message).replace(/\.$/, '');
}

/** Shorter, it is no wait but the start of the work: a tool that is loaded, a schema that is read. */
const leastWaitMs = 300;

/** How it ended and how long it took; the time it waited before is told apart. */
function ending({ status, failure, requestedAt, startedAt, endedAt }: OperationNode): readonly string[] {
  const why = failure ? [`${status} (${failure.class}): ${toClause(failure.message)}`] : [];
  const plain = failure || status === 'ok' ? why : [status];
  if (startedAt === undefined || endedAt === undefined) return plain;
  const waitedMs = startedAt - requestedAt;
  const waited = waitedMs >= leastWaitMs ? [`after ${inTime(waitedMs)} of waiting`] : [];
  return [...plain, inTime(endedAt - startedAt), ...waited];
}
