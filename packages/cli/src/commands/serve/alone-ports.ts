// Headends that have a port to themselves, as flags of an existing set-up say it: `--api 8080`, `--openai-completions 8081`.

export type AloneHeadend = 'rest' | 'openai' | 'anthropic';

export interface AlonePort {
  readonly headend: AloneHeadend;
  readonly port: number;
}

export interface HeadendFlags {
  readonly headend: AloneHeadend;
  /** Its value is a port; it may be repeated. */
  readonly port: string;
  /** Its value is how many runs at once come by this headend. */
  readonly concurrency: string;
}

export const aloneFlags: readonly HeadendFlags[] = [
  { headend: 'rest', port: '--api', concurrency: '--api-concurrency' },
  { headend: 'openai', port: '--openai-completions', concurrency: '--openai-completions-concurrency' },
  { headend: 'anthropic', port: '--anthropic-completions', concurrency: '--anthropic-completions-concurrency' },
];
