// Loads agent files for a command, and says what is wrong with them.

import { type Problem, Problems, readFlags, readOverrides, SubagentRegistry, toError, toLine } from '@ai-agent/agents';
import { toFailure } from '@ai-agent/core';
import { processPlaces, toWorld } from '../assemble.ts';
import { exitCodes } from '../exit-codes.ts';
import { toFailedDocument } from '../render/outcome-document.ts';
import type { Terminal } from '../terminal.ts';

export interface LoadRequest {
  readonly entries: readonly string[];
  /** Options of the top agent, as flags. */
  readonly flags: readonly (readonly [flag: string, value: string])[];
  readonly overrides: readonly string[];
  readonly configFile: string | undefined;
  readonly purpose: 'run' | 'check';
}

export interface Loading {
  readonly registry: SubagentRegistry;
  /** Also of what was said on the command line. */
  readonly problems: readonly Problem[];
}

export async function loadAgents({ entries, flags, overrides, configFile, purpose }: LoadRequest): Promise<Loading> {
  const said = new Problems();
  const world = toWorld({
    ...processPlaces(),
    flags: readFlags(flags, said),
    overrides: readOverrides(overrides, said),
    purpose,
    ...(configFile === undefined ? {} : { configFile }),
    mayProbe: purpose === 'run',
  });
  const registry = await SubagentRegistry.load(entries, world);
  return { registry, problems: [...said.all, ...registry.problems] };
}

/** What was said wrongly on the command line, or names no file, is misuse; the rest is set-up. */
export function exitCodeFor(problems: readonly Problem[], entries: readonly string[]): number {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return exitCodes.ok;
  return errors.some((problem) => isMisuse(problem, entries)) ? exitCodes.usage : exitCodes.byClass.config;
}

function isMisuse({ code, file }: Problem, entries: readonly string[]): boolean {
  return file === '--override' || file === 'the command line' || (code === 'file-missing' && entries.includes(file));
}

/** Why a run cannot begin; as a document too, for whoever asked for one. */
export function refuse(problems: readonly Problem[], request: Refusal, { stdout, stderr }: Terminal): number {
  const { entries, isJson } = request;
  const code = exitCodeFor(problems, entries);
  const kind = code === exitCodes.usage ? 'usage' : 'config';
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (isJson) {
    const failure = { ...toFailure(toError(errors)), class: kind } as const;
    stdout.write(`${JSON.stringify(toFailedDocument(failure, { problems }))}\n`);
  }
  const cwd = process.cwd();
  for (const problem of problems) stderr.write(`${toLine(problem, cwd)}\n`);
  const remedies = [...new Set(errors.map(({ remedy }) => remedy))];
  const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`;
  stderr.write(`failed (${kind}): ${count} in the way of a run.\n`);
  stderr.write(`${remedies.map((remedy) => `What to do: ${remedy}`).join('\n')}\n`);
  return code;
}

interface Refusal {
  readonly entries: readonly string[];
  readonly isJson: boolean;
}
