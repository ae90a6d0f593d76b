// The tree of a run as lines of text: one per session or call, with its title, what it does, what it used and how long.

import { oneLine, type SessionNode, type ToolNode } from '@ai-agent/core';

export interface TreeStyle {
  /** Columns of the terminal; longer lines are cut. */
  readonly width: number;
  readonly isColoured: boolean;
  readonly now: number;
}

/** A stretch of a line in one colour. */
interface Piece {
  readonly text: string;
  readonly colour?: '2' | '31' | '32' | '33' | '36';
}

export function drawTree(root: SessionNode, style: TreeStyle): readonly string[] {
  return drawSession(root, { here: '', below: '' }, style).map((pieces) => paint(pieces, style));
}

interface Branch {
  readonly here: string;
  readonly below: string;
}

function drawSession(session: SessionNode, branch: Branch, style: TreeStyle): readonly (readonly Piece[])[] {
  const tools = session.turns.flatMap((turn) => turn.operations).filter((operation) => operation.type === 'tool');
  const elapsed = `${(((session.endedAt ?? style.now) - session.startedAt) / 1000).toFixed(1)} s`;
  const line: Piece[] = [
    { text: branch.here },
    mark(session.status),
    { text: ` ${oneLine(session.trace.instanceName)}  ` },
    { text: `${doing(session)} · ${elapsed}`, colour: '2' },
    { text: session.title ? `  ${oneLine(session.title)}` : '' },
  ];
  return [line, ...tools.flatMap((tool, i) => drawTool(tool, grow(branch, i === tools.length - 1), style))];
}

function drawTool(tool: ToolNode, branch: Branch, style: TreeStyle): readonly (readonly Piece[])[] {
  if (tool.session) return drawSession(tool.session, branch, style);
  const failure = tool.failure ? ` (${tool.failure.class})` : '';
  return [[{ text: branch.here }, mark(tool.status), { text: ` ${oneLine(tool.instance)}${failure}` }]];
}

function grow({ below }: Branch, isLast: boolean): Branch {
  return isLast ? { here: `${below}└─ `, below: `${below}   ` } : { here: `${below}├─ `, below: `${below}│  ` };
}

function doing(session: SessionNode): string {
  const turn = session.turns.at(-1);
  if (session.status === 'running') return `turn ${turn?.number ?? 0}, ${current(turn?.operations.at(-1)?.type)}`;
  const { usage } = session;
  const ending = session.limit ?? (session.status === 'failed' ? session.failure?.class : undefined);
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  const calls = usage?.modelCalls === 1 ? '1 model call' : `${usage?.modelCalls ?? 0} model calls`;
  return `${session.status}${ending ? ` (${ending})` : ''} · ${calls} · ${tokens} tokens`;
}

function current(type: 'model' | 'tool' | undefined): string {
  if (type === undefined) return 'opening';
  return type === 'model' ? 'thinking' : 'calling';
}

function mark(status: SessionNode['status'] | ToolNode['status']): Piece {
  if (status === 'running') return { text: '●', colour: '36' };
  if (status === 'completed' || status === 'ok') return { text: '✓', colour: '32' };
  return status === 'partial' ? { text: '◐', colour: '33' } : { text: '✗', colour: '31' };
}

/** Cut to the width by what is seen; colours take no room. */
function paint(pieces: readonly Piece[], { width, isColoured }: TreeStyle): string {
  let room = width - 1;
  let line = '';
  for (const { text, colour } of pieces) {
    const letters = [...text];
    const seen = letters.length <= room ? text : room > 0 ? `${letters.slice(0, room - 1).join('')}…` : '';
    room -= letters.length;
    line += isColoured && colour && seen ? `\u001b[${colour}m${seen}\u001b[0m` : seen;
  }
  return line;
}
