// One item of a stream: opened, filled piece by piece, and closed with the whole of it.

import {
  type CallItem,
  type ItemStatus,
  type OutputItem,
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

export interface ItemWriter {
  readonly type: 'message' | 'reasoning';
  /** As far as it has come. */
  readonly item: OutputItem;
  add(piece: string): void;
  close(status: ItemStatus): OutputItem;
}

export class MessageWriter implements ItemWriter {
  readonly type = 'message';
  readonly #id: string;
  readonly #place: ItemPlace;
  #text = '';

  constructor(id: string, place: ItemPlace) {
    this.#id = id;
    this.#place = place;
    tellItem('added', place, toMessageItem(id, undefined, 'in_progress'));
    this.#tell('response.content_part.added', { part: toOutputText('') });
  }

  get item(): OutputItem {
    return toMessageItem(this.#id, this.#text, 'in_progress');
  }

  add(delta: string): void {
    this.#text += delta;
    this.#tell('response.output_text.delta', { delta, logprobs: [] });
  }

  close(status: ItemStatus): OutputItem {
    const text = this.#text;
    this.#tell('response.output_text.done', { text, logprobs: [] });
    this.#tell('response.content_part.done', { part: toOutputText(text) });
    return tellItem('done', this.#place, toMessageItem(this.#id, text, status));
  }

  #tell(type: string, fields: object): void {
    this.#place.tell(type, { item_id: this.#id, output_index: this.#place.index, content_index: 0, ...fields });
  }
}

export class ReasoningWriter implements ItemWriter {
  readonly type = 'reasoning';
  readonly #id: string;
  readonly #place: ItemPlace;
  #text = '';

  constructor(id: string, place: ItemPlace) {
    this.#id = id;
    this.#place = place;
    tellItem('added', place, toReasoningItem(id, undefined, 'in_progress'));
    this.#tell('response.reasoning_summary_part.added', { part: toSummary('') });
  }

  get item(): OutputItem {
    return toReasoningItem(this.#id, this.#text, 'in_progress');
  }

  add(delta: string): void {
    this.#text += delta;
    this.#tell('response.reasoning_summary_text.delta', { delta });
  }

  close(status: ItemStatus): OutputItem {
    const text = this.#text;
    this.#tell('response.reasoning_summary_text.done', { text });
    this.#tell('response.reasoning_summary_part.done', { part: toSummary(text) });
    return tellItem('done', this.#place, toReasoningItem(this.#id, text, status));
  }

  #tell(type: string, fields: object): void {
    this.#place.tell(type, { item_id: this.#id, output_index: this.#place.index, summary_index: 0, ...fields });
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
