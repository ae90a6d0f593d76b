// Items of a request as the API gives them back: each with an id, a type and a status.

import { WrongField } from '../wrong-field.ts';
import type { ToId } from './output-items.ts';
import type { Item } from './read-items.ts';

export function toInputItems(items: readonly Item[], toId: ToId): readonly Item[] {
  return items.map((item) => {
    const type = String(item.type ?? 'message');
    const id =
      typeof item.id === 'string' && item.id !== ''
        ? item.id
        : toId(Object.hasOwn(prefixes, type) ? String(prefixes[type]) : 'item');
    const content = type === 'message' ? { content: toParts(item) } : {};
    return { status: 'completed', ...item, ...content, type, id };
  });
}

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
};

function toParts({ role, content }: Item): unknown {
  if (typeof content !== 'string') return content ?? [];
  if (role === 'assistant') return [{ type: 'output_text', text: content, annotations: [], logprobs: [] }];
  return [{ type: 'input_text', text: content }];
}

/** A page of them, as the query wants it. Throws `request-invalid`. */
export function toItemList(items: readonly Item[], query: URLSearchParams): object {
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw new WrongField('order', 'order must be asc or desc.');
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw new WrongField('limit', 'limit must be a whole number from 1 to 100.');
  const ordered = order === 'asc' ? items : items.toReversed();
  const after = query.get('after');
  // Whatever is unknown comes before all.
  const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  const data = ordered.slice(from, from + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  };
}
