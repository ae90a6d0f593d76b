// The variables of prompts, in one table: what they are called, what they mean, what they come from.

export interface PromptFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly limits: { readonly maxTurns: number; readonly maxToolCallsPerTurn: number };
  readonly output: { readonly format: 'text' | 'markdown' | 'json' };
  readonly host: HostFacts;
}

/** Of the machine, by whoever may ask it. */
export interface HostFacts {
  /** `linux`, `darwin`, `win32`. */
  readonly os: string;
  /** `x64`, `arm64`. */
  readonly arch: string;
  /** Name and release. */
  readonly kernel: string;
  /** Where the command was started. */
  readonly folder: string;
  readonly hostname: string;
  readonly user: string;
}

interface PromptVariable {
  readonly name: string;
  readonly meaning: string;
  /** Also replaced in what a user asks. @default false */
  readonly inUserPrompts?: boolean;
  readonly from: (facts: PromptFacts) => string | number;
}

/** Numbers stay numbers, so that a template can compare them. */
export const promptVariables = [
  {
    name: 'DATETIME',
    meaning: 'The time at the start of the session, in UTC to the second: 2026-01-31T09:30:00+00:00',
    inUserPrompts: true,
    from: ({ now }) => `${new Date(now).toISOString().slice(0, -5)}+00:00`,
  },
  {
    name: 'TIMESTAMP',
    meaning: 'The same time in seconds since 1970',
    inUserPrompts: true,
    from: ({ now }) => Math.floor(now / 1000),
  },
  {
    name: 'DAY',
    meaning: 'The weekday of that time, in English',
    inUserPrompts: true,
    from: ({ now }) => weekdays[new Date(now).getUTCDay()] ?? '',
  },
  { name: 'TIMEZONE', meaning: 'The zone of these times, always UTC', inUserPrompts: true, from: () => 'UTC' },
  {
    name: 'MAX_TURNS',
    meaning: 'How many turns the session may take',
    inUserPrompts: true,
    from: ({ limits }) => limits.maxTurns,
  },
  {
    name: 'MAX_TOOLS',
    meaning: 'How many tools may be called in one turn',
    inUserPrompts: true,
    from: ({ limits }) => limits.maxToolCallsPerTurn,
  },
  { name: 'OS', meaning: 'The operating system', from: ({ host }) => host.os },
  { name: 'ARCH', meaning: 'The kind of processor', from: ({ host }) => host.arch },
  { name: 'KERNEL', meaning: 'The kernel, with its release', from: ({ host }) => host.kernel },
  { name: 'CD', meaning: 'The folder the command was started in', from: ({ host }) => host.folder },
  { name: 'HOSTNAME', meaning: 'The name of the machine', from: ({ host }) => host.hostname },
  { name: 'USER', meaning: 'The name of the user on that machine', from: ({ host }) => host.user },
  {
    name: 'FORMAT',
    meaning: 'What form the answer has to have, in a sentence',
    from: ({ output }) => formats[output.format],
  },
] as const satisfies readonly PromptVariable[];

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const formats: Readonly<Record<PromptFacts['output']['format'], string>> = {
  text: 'Plain text that reads well as it is, without any markup.',
  markdown: 'GitHub-flavoured Markdown, with headings, lists, tables and code blocks where they help the reader.',
  json: 'One JSON value and nothing else, with no text and no code fence around it.',
};

export type VariableName = (typeof promptVariables)[number]['name'];

export type Variables = Readonly<Record<VariableName, string | number>>;

export function toVariables(facts: PromptFacts): Variables {
  const entries = promptVariables.map(({ name, from }) => [name, from(facts)]);
  return Object.fromEntries(entries) as Variables;
}

export function isVariable(name: string): name is VariableName {
  return names.has(name);
}

const names: ReadonlySet<string> = new Set(promptVariables.map(({ name }) => name));

/** What a user asks is no template: a few names are replaced, once, and all the rest is theirs. */
export function fillPrompt(text: string, variables: Pick<Variables, UserVariable>): string {
  return text.replace(/\$\{([A-Z_]+)\}|\{\{([A-Z_]+)\}\}/g, (found, dollar?: string, braces?: string) => {
    const name = dollar ?? braces ?? '';
    return isUserVariable(name) ? String(variables[name]) : found;
  });
}

type UserVariable = Extract<(typeof promptVariables)[number], { readonly inUserPrompts: true }>['name'];

function isUserVariable(name: string): name is UserVariable {
  return userNames.has(name);
}

const userNames: ReadonlySet<string> = new Set(
  promptVariables.filter((variable: PromptVariable) => variable.inUserPrompts).map(({ name }) => name),
);
