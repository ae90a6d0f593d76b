// What stands in a form while it is filled in: every value that JSON has can be a draft, whatever the field asks for, so that
// nothing is lost between the form and its JSON.

export type Draft =
  | { readonly type: 'absent' | 'null' }
  | { readonly type: 'text' | 'number'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'choice'; readonly index: number }
  | { readonly type: 'some-of'; readonly indexes: readonly number[] }
  /** `rest` is the JSON of properties that the field does not name. */
  | { readonly type: 'object'; readonly parts: ReadonlyMap<string, Draft>; readonly rest: string }
  | { readonly type: 'list'; readonly items: readonly Item[] }
  | { readonly type: 'variant'; readonly index: number; readonly draft: Draft }
  /** For a field of JSON, and for what does not fit its field. */
  | { readonly type: 'json'; readonly text: string };

export interface Item {
  /** Stays with it wherever it is moved. */
  readonly id: number;
  readonly draft: Draft;
}

export const absent: Draft = { type: 'absent' };

/** What is written of a number, once it is one. */
export function readNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}
