// One item of a stream: opened, filled piece by piece, and closed with the whole of it.

import {
  type CallItem,
  type ItemStatus,
  type OutputItem,
  type ToId,
  toMessageItem,
  toOutputText,
  toReasoningItem,
  toSummary,
} from './output-items.ts';

export type Tell = (type: string, fields: object) => void;

export interface ItemPlace {
  /** Among the items of the response. */
  readonly index: number;
  readonly tell: Tell;
}

export type ItemKind = 'message' | 'reasoning';

/** What differs between what is said and what is thought: the names of their events, and where a piece stands. */
const kinds = {
  message: {
    prefix: 'msg',
    part: 'response.content_part',
    text: 'response.output_text',
    at: { content_index: 0 },
    more: { logprobs: [] },
    toPart: toOutputText,
    toItem: toMessageItem,
  },
  reasoning: {
    prefix: 'rs',
    part: 'response.reasoning_summary_part',
    text: 'response.reasoning_summary_text',
    at: { summary_index: 0 },
    more: {},
    toPart: toSummary,
    toItem: toReasoningItem,
  },
} as const;

export class ItemWriter {
  readonly kind: ItemKind;
  readonly #id: string;
  readonly #place: ItemPlace;
  #text = '';

  constructor(kind: ItemKind, toId: ToId, place: ItemPlace) {
    const { prefix, part, toItem, toPart } = kinds[kind];
    this.kind = kind;
    this.#id = toId(prefix);
    this.#place = place;
    tellItem('added', place, toItem(this.#id, undefined, 'in_progress'));
    this.#tell(`${part}.added`, { part: toPart('') });
  }

  /** As far as it has come. */
  get item(): OutputItem {
    return kinds[this.kind].toItem(this.#id, this.#text, 'in_progress');
  }

  add(delta: string): void {
    const { text, more } = kinds[this.kind];
    this.#text += delta;
    this.#tell(`${text}.delta`, { delta, ...more });
  }

  close(status: ItemStatus): OutputItem {
    const { part, text, more, toItem, toPart } = kinds[this.kind];
    this.#tell(`${text}.done`, { text: this.#text, ...more });
    this.#tell(`${part}.done`, { part: toPart(this.#text) });
    return tellItem('done', this.#place, toItem(this.#id, this.#text, status));
  }

  #tell(type: string, fields: object): void {
    const { at } = kinds[this.kind];
    this.#place.tell(type, { item_id: this.#id, output_index: this.#place.index, ...at, ...fields });
  }
}

/** All of it is there already. */
export function writeCall(item: CallItem, place: ItemPlace): void {
  const at = { item_id: item.id, output_index: place.index };
  if (item.type === 'function_call') {
    tellItem('added', place, { ...item, arguments: '', status: 'in_progress' });
    place.tell('response.function_call_arguments.delta', { ...at, delta: item.arguments });
    place.tell('response.function_call_arguments.done', { ...at, arguments: item.arguments });
  } else {
    tellItem('added', place, { ...item, input: '', status: 'in_progress' });
    place.tell('response.custom_tool_call_input.delta', { ...at, delta: item.input });
    place.tell('response.custom_tool_call_input.done', { ...at, input: item.input });
  }
  tellItem('done', place, item);
}

function tellItem<T extends OutputItem>(what: 'added' | 'done', { index, tell }: ItemPlace, item: T): T {
  tell(`response.output_item.${what}`, { output_index: index, item });
  return item;
}
