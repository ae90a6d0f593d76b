// The tool with which a model tells how far its task is: shown to whoever looks on, and the sign that it is done.

import type { TaskStatus } from './events.ts';
import { isObject } from './json.ts';
import type { OpenedTool } from './operation.ts';
import { ownSchema } from './schema.ts';
import { defineTool, type ToolDefinition } from './tool.ts';
import { batchName, taskStatusName } from './tool-names.ts';

/** As the model says it; `mendStatus` makes it so. */
export interface StatusArguments extends Pick<TaskStatus, 'status' | 'now' | 'done' | 'pending'> {
  readonly ready_for_final_report: boolean;
  readonly need_to_run_more_tools: boolean;
}

/** Any agent may call it; only one that wants it is told so, when its session opens. */
export const taskStatus: ToolDefinition = defineTool<StatusArguments>({
  name: taskStatusName,
  identity: { namespace: 'agent', tool: 'task_status' },
  description:
    'Tells the people who look on how far your task is. Call it beside other tools when that changes, not by itself. After completed you give your final answer.',
  inputSchema: ownSchema({
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['starting', 'in-progress', 'completed'] },
      done: { type: 'string', description: 'What is done, in a sentence' },
      pending: { type: 'string', description: 'What is left to do, in a sentence' },
      now: { type: 'string', description: 'What you do now, in a few words' },
      ready_for_final_report: { type: 'boolean', description: 'Whether you have what the final answer needs' },
      need_to_run_more_tools: { type: 'boolean', description: 'Whether you will call more tools' },
    },
    required: ['status', 'now'],
  }),
  idempotent: true,
  isHidden: true,
  execute({ status, now, done, pending }, { trace, caller: { run } }) {
    if (run.wantsHints) run.emit({ kind: 'hint', type: 'task-status', trace, status, now, done, pending });
    return 'The status was shown.';
  },
});

/** Whether a prompt speaks of it, by its whole name or the short one. */
export function namesStatus(instructions: string): boolean {
  return instructions.includes('task_status');
}

/** Nobody is asked how far they are who can do nothing on the way. A batch is nothing by itself. */
export function offerStatus(tools: readonly OpenedTool[], isWanted: boolean): readonly OpenedTool[] {
  if (!isWanted || !tools.some(({ isOffered, name }) => isOffered && name !== batchName)) return tools;
  const known = offering.get(tools) ?? Object.freeze(tools.map(offered));
  offering.set(tools, known);
  return known;
}

// Sessions of one agent share their list of tools, and so they share this one.
const offering = new WeakMap<readonly OpenedTool[], readonly OpenedTool[]>();

function offered(tool: OpenedTool): OpenedTool {
  return tool.name === taskStatusName && !tool.isDenied ? Object.freeze({ ...tool, isOffered: true }) : tool;
}

/** Whether a call of it says that nothing is left but the answer. */
export function saysCompleted(input: string): boolean {
  const { status, need_to_run_more_tools } = JSON.parse(input) as StatusArguments;
  return status === 'completed' && !need_to_run_more_tools;
}

/** The arguments in their form, whatever a model made of it: no status is worth a second try. What is no JSON stays as it is. */
export function mendStatus(input: string): string {
  const said = parse(input);
  if (!isObject(said)) return input;
  try {
    return JSON.stringify(mended(said));
  } catch {
    // Nested deeper than there is room to follow: the door says what is wrong with it.
    return input;
  }
}

function mended(said: Record<string, unknown>): StatusArguments {
  return {
    status: toStatus(said.status),
    done: toText(said.done),
    pending: toText(said.pending),
    now: toText(said.now),
    ready_for_final_report: isYes(said.ready_for_final_report),
    need_to_run_more_tools: isYes(said.need_to_run_more_tools),
  };
}

function parse(input: string): unknown {
  try {
    return input.trim() === '' ? {} : JSON.parse(input);
  } catch {
    return undefined;
  }
}

function toStatus(said: unknown): StatusArguments['status'] {
  const word = toText(said).toLowerCase();
  if (/^(complete|done|finish)/.test(word)) return 'completed';
  return word.startsWith('start') ? 'starting' : 'in-progress';
}

function toText(said: unknown): string {
  if (said === undefined || said === null) return '';
  if (Array.isArray(said)) return said.map(toText).join('; ');
  return typeof said === 'object' ? JSON.stringify(said) : String(said).trim();
}

function isYes(said: unknown): boolean {
  return said === true || /^(true|yes|1)$/i.test(toText(said));
}
