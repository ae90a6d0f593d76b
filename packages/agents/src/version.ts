// What an agent's answers are made of, as one short text: when anything of it changes, so does this.

import type { EnvOverlay } from '@ai-agent/core';
import type { Contract } from './contract.ts';
import type { Effective } from './options/effective.ts';
import { options } from './options/table.ts';
import type { Prompt } from './prompt/prepare-prompt.ts';
import { type HostFacts, toVariables, type VariableName } from './prompt/variables.ts';

export interface VersionParts {
  readonly name: string;
  /** As it is written: a date in it does not make another agent of it. */
  readonly prompt: Pick<Prompt, 'texts'>;
  readonly effective: Effective;
  readonly contracts: readonly (Contract | undefined)[];
  /** What its models and tools are set up with. */
  readonly setUps: readonly unknown[];
  readonly env: EnvOverlay;
  readonly host: HostFacts;
  /** What is in files that work on its answers, such as plugins. */
  readonly contents: readonly string[];
  /** The agents that it may call, or that work with it, in their order. */
  readonly below: readonly Versioned[];
}

export interface Versioned {
  /** Changes with everything that its answers are made of: its files, its set-ups and variables, and the agents below it. */
  version(): Promise<string>;
}

/** Worked out when somebody asks, once: most agents keep no answers. */
export function toVersioned(parts: VersionParts): Versioned['version'] {
  let known: Promise<string> | undefined;
  return () => {
    known ??= versionOf(parts);
    return known;
  };
}

async function versionOf({ prompt, effective, host, below, ...rest }: VersionParts): Promise<string> {
  const { createHash } = await import('node:crypto');
  const said = options.map((option) => [option.key, effective.value(option) ?? null]);
  const children = await Promise.all(below.map((one) => one.version()));
  const { texts } = prompt;
  const whole = JSON.stringify([rest, texts, said, hostIn(texts, host), children]);
  return createHash('sha256').update(whole).digest('base64url');
}

/** What the prompt may say of this machine and its user; of the time it may say what it likes. */
function hostIn(texts: readonly string[], host: HostFacts): readonly unknown[] {
  const none = { now: 0, limits: { maxTurns: 0, maxToolCallsPerTurn: 0 }, output: { format: 'text' } } as const;
  const values = toVariables({ ...none, host });
  return ofHost.filter((name) => texts.some((text) => text.includes(name))).map((name) => [name, values[name]]);
}

const ofHost: readonly VariableName[] = ['OS', 'ARCH', 'KERNEL', 'CD', 'HOSTNAME', 'USER'];
