// The tool with which a model sends many calls as one: what it asks for as calls, and what they came to as one result.

import type { Failure } from './errors.ts';
import { isObject } from './json.ts';
import { strikeShapes } from './key-shapes.ts';
import type { FilePart, ToolCallPart } from './message.ts';
import { ownSchema } from './schema.ts';
import { struck } from './strike.ts';
import { defineTool, fail, type ToolDefinition } from './tool.ts';
import { batchName } from './tool-names.ts';
import type { ToolResult } from './tool-result.ts';

/** Reached only by a batch of nothing: all others are unfolded before the door. */
export const batch: ToolDefinition = defineTool({
  name: batchName,
  identity: { namespace: 'agent', tool: 'batch' },
  description:
    'Runs several calls of other tools side by side and gives their results together. One that fails spares the others.',
  inputSchema: ownSchema({
    type: 'object',
    properties: {
      calls: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'To tell its result by' },
            tool: { type: 'string', description: 'The name of the tool, as it is offered' },
            parameters: { type: 'object', description: 'The arguments of the call' },
          },
          required: ['id', 'tool', 'parameters'],
        },
      },
    },
    required: ['calls'],
  }),
  execute: () => fail('A batch has calls: [{ id, tool, parameters }], and this one had none.'),
});

/** One call of a batch: on its way to the door, or why it is not. */
export interface Item {
  readonly id: string;
  readonly tool: string;
  readonly part?: ToolCallPart;
  readonly error?: ItemError;
}

interface ItemError {
  readonly code: string;
  readonly message: string;
}

/** The calls of a batch; nothing when it has none that could be read, so that the door says what is wrong with it. */
export function itemsOf({ id, input }: ToolCallPart): readonly Item[] | undefined {
  const { calls } = parse(input) ?? {};
  const list = typeof calls === 'string' ? parseAny(calls) : calls;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const ids = new Set<string>();
  return list.map((said: unknown, i) => {
    const item = toItem(said, { batch: id, number: i + 1 });
    const own = ids.has(item.id) ? `${item.id}#${i + 1}` : item.id;
    ids.add(own);
    return { ...item, id: own };
  });
}

/** What only stands by itself: a batch in a batch would hide how much it is, and the others end the work. */
const notInside: ReadonlySet<string> = new Set(
  [batchName, 'agent__final_report', 'router__handoff-to'].flatMap((name) => [name, name.replace(/^.*?__/, '')]),
);

function toItem(said: unknown, { batch: batchId, number }: { readonly batch: string; readonly number: number }): Item {
  if (!isObject(said)) return { id: `${number}`, tool: '', error: badRequest(`it is ${typeof said}`) };
  const tool = typeof said.tool === 'string' ? said.tool : '';
  const isNamed = typeof said.id === 'number' || (typeof said.id === 'string' && said.id !== '');
  const item = { id: isNamed ? String(said.id) : `${number}`, tool };
  if (tool === '') return { ...item, error: badRequest('it names no tool') };
  if (notInside.has(tool)) {
    const message = `${tool} cannot be called inside a batch. Call it by itself.`;
    return { ...item, error: { code: 'INTERNAL_NOT_ALLOWED', message } };
  }
  const { parameters = {} } = said;
  // Text may be the arguments as JSON: the door reads it.
  const input = typeof parameters === 'string' ? parameters : toInput(parameters);
  if (input === undefined) return { ...item, error: badRequest('the parameters are nested too deep') };
  // Names go into traces, which are shown as they are.
  const name = strikeShapes(tool, struck);
  return { ...item, part: { type: 'tool-call', id: `${batchId}.${number}`, name, input, batch: batchId } };
}

/** Undefined for what nobody could write down again: it is nested deeper than there is room to follow. */
function toInput(parameters: unknown): string | undefined {
  try {
    return JSON.stringify(parameters);
  } catch {
    return undefined;
  }
}

function badRequest(what: string): ItemError {
  const message = `A call of a batch is an object with id, tool and parameters, and of this one ${what}. Send it again.`;
  return { code: 'BAD_REQUEST', message };
}

/** What came of a call. How long it took is not known of one that was done before a question. */
export interface ItemEnd {
  readonly result: ToolResult;
  readonly latencyMs?: number;
}

/** The one result of a batch: it went well also when none of its calls did, as it tells of each. */
export function toBatchResult(ends: readonly { readonly item: Item; readonly end?: ItemEnd }[]): ToolResult {
  const results = ends.map(({ item: { id, tool, error }, end }) => ({ id, tool, ...toEntry(end, error) }));
  const files = ends.flatMap(({ end }): readonly FilePart[] =>
    end?.result.status === 'ok' ? (end.result.files ?? []) : [],
  );
  return { status: 'ok', text: JSON.stringify({ results }), ...(files.length > 0 ? { files } : {}) };
}

/** The result of a batch that was cut off. `results` are by the id of the call; a call without one has the error `interrupted`. */
export function toInterruptedBatch(
  part: ToolCallPart,
  results: ReadonlyMap<string, ToolResult>,
  interrupted: string,
): ToolResult {
  const error = { code: 'INTERRUPTED', message: interrupted };
  const ends = (itemsOf(part) ?? []).map((item) => {
    const result = item.part && results.get(item.part.id);
    return result ? { item, end: { result } } : { item: { error, ...item } };
  });
  return toBatchResult(ends);
}

function toEntry(end: ItemEnd | undefined, error: ItemError | undefined) {
  if (!end) return { ok: false, elapsedMs: 0, error };
  const { result, latencyMs } = end;
  const took = latencyMs === undefined ? {} : { elapsedMs: latencyMs };
  if (result.status === 'ok') return { ok: true, ...took, output: result.text };
  return { ok: false, ...took, error: { code: codeOf(result.failure), message: result.text } };
}

const codes: Readonly<Record<string, string>> = {
  'tool-unknown': 'UNKNOWN_TOOL',
  'tool-arguments-invalid': 'BAD_REQUEST',
  'tool-failed': 'EXECUTION_ERROR',
};

function codeOf(failure: Failure | undefined): string {
  return failure ? (codes[failure.code] ?? failure.class) : 'EXECUTION_ERROR';
}

function parse(input: string): { readonly calls?: unknown } | undefined {
  const value = parseAny(input);
  return isObject(value) ? value : undefined;
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
