// Providers that everybody knows: what they are, where they are, and the variables that usually hold their key.

/** What a provider can be. Each has an adapter in providers/. */
export const providerTypes = ['openai', 'openai-compatible', 'anthropic', 'google', 'openrouter', 'ollama'] as const;

export type ProviderType = (typeof providerTypes)[number];

export interface WellKnownProvider {
  readonly type: ProviderType;
  readonly baseUrl: string;
  /** Variables that usually hold its key; of several, the first that is set. Empty when it takes none. */
  readonly keyVariables: readonly string[];
  /** A model to begin with, where there is one that will still be there next year. */
  readonly defaultModel?: string;
}

function compatible(baseUrl: string, keyVariable: string): WellKnownProvider {
  return { type: 'openai-compatible', baseUrl, keyVariables: [keyVariable] };
}

/** By the name that stands before the slash. */
export const wellKnown: ReadonlyMap<string, WellKnownProvider> = new Map<string, WellKnownProvider>([
  [
    'openai',
    {
      type: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      keyVariables: ['OPENAI_API_KEY'],
      defaultModel: 'gpt-5.4',
    },
  ],
  [
    'anthropic',
    {
      type: 'anthropic',
      baseUrl: 'https://api.anthropic.com/v1',
      keyVariables: ['ANTHROPIC_API_KEY'],
      defaultModel: 'claude-sonnet-5',
    },
  ],
  [
    'google',
    {
      type: 'google',
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      defaultModel: 'gemini-3.8-flash',
    },
  ],
  [
    'openrouter',
    {
      type: 'openrouter',
      baseUrl: 'https://openrouter.ai/api/v1',
      keyVariables: ['OPENROUTER_API_KEY'],
      defaultModel: 'anthropic/claude-sonnet-5',
    },
  ],
  ['ollama', { type: 'ollama', baseUrl: 'http://localhost:11434/api', keyVariables: [] }],
  ['groq', compatible('https://api.groq.com/openai/v1', 'GROQ_API_KEY')],
  ['deepseek', compatible('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY')],
  ['mistral', compatible('https://api.mistral.ai/v1', 'MISTRAL_API_KEY')],
  ['xai', compatible('https://api.x.ai/v1', 'XAI_API_KEY')],
  ['together', compatible('https://api.together.xyz/v1', 'TOGETHER_API_KEY')],
  ['cerebras', compatible('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY')],
  ['fireworks', compatible('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY')],
]);

/** What a provider is: as it says, or as its name says; undefined when neither does. */
export function typeOf(name: string, type: unknown): ProviderType | undefined {
  if (type !== undefined && type !== null) return providerTypes.find((known) => known === type);
  return wellKnown.get(name)?.type ?? providerTypes.find((known) => known === name);
}

/** Where a provider of this type or name is when nobody says. */
export function usualAddress(name: string, type: ProviderType): string | undefined {
  const named = wellKnown.get(name);
  // A key of theirs goes to them, whatever they are said to be like.
  if (named?.type === 'openai-compatible' && type.startsWith('openai')) return named.baseUrl;
  return wellKnown.get(type)?.baseUrl ?? named?.baseUrl;
}
