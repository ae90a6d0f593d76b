// What the page and the frame of a diagram say to each other.

export interface Task {
  readonly type: 'draw';
  readonly text: string;
  /** Names of typefaces, as style sheets have them. */
  readonly font: string;
  readonly colours: Colours;
}

export type Colours = Readonly<Record<'paper' | 'sunk' | 'ink' | 'soft' | 'line' | 'accent' | 'wash', string>>;

export interface Drawing {
  readonly width: number;
  readonly height: number;
}

export type Report =
  | { readonly type: 'ready' }
  | ({ readonly type: 'drawn' } & Drawing)
  | { readonly type: 'failed'; readonly message: string };

/** What a model has written may have come to speak for the frame: only what we know is heard. */
export function readReport(data: unknown): Report | undefined {
  const { type, width, height, message } = (data ?? {}) as Record<string, unknown>;
  if (type === 'ready') return { type };
  if (type === 'failed') return { type, message: String(message) };
  if (type !== 'drawn') return undefined;
  const isSize = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0;
  if (!isSize(width) || !isSize(height)) return undefined;
  return { type, width: Math.min(width, 10_000), height: Math.min(height, 10_000) };
}
