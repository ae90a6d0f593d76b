// What is written to: a terminal, or whatever stands in its place.

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  /** Called back when the window gets another size. */
  on?(event: 'resize', callback: () => void): unknown;
  off?(event: 'resize', callback: () => void): unknown;
}

/** The same, for lines alone: nobody draws there. */
export function asPipe(screen: Screen): Screen {
  return { write: (text) => screen.write(text) };
}

/** A terminal that does not say how large it is. */
const usual = { columns: 80, rows: 24 };

export function sizeOf({ columns, rows }: Screen): { readonly columns: number; readonly rows: number } {
  return { columns: columns || usual.columns, rows: rows || usual.rows };
}
