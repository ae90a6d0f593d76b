// What is wrong with a file, and where: collected, so that all of it is said at once.

import { isAbsolute, relative } from 'node:path';
import { AgentError, catalogue, type ErrorCode, nearest, oneLine, withoutKeys } from '@ai-agent/core';

export interface Problem {
  /** A warning is worth knowing; an error stops a run. */
  readonly severity: 'error' | 'warning';
  readonly code: ErrorCode;
  /** The file it is in, or where else it was said: `--override`. */
  readonly file: string;
  /** From 1; missing when it concerns the whole file. */
  readonly line?: number;
  /** The key as its author would find it: `limits.maxTurns`. */
  readonly key?: string;
  /** What was found, and what would be right, in one sentence. */
  readonly message: string;
  readonly remedy: string;
  /** The variable that is missing, when that is the problem. */
  readonly variable?: string;
  /** The names of the agents that need it. */
  readonly neededBy?: readonly string[];
  /** The file that can define the variable. Missing if the env file of any layer can. */
  readonly envFile?: string;
}

export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly key?: string;
}

/** Takes problems of one load; the order is that of finding. What looks like a key is struck out of them. */
export class Problems {
  readonly #all: Problem[] = [];
  /** Every file that was looked for on the way, whether it was there or not. */
  readonly sought = new Set<string>();

  get all(): readonly Problem[] {
    return this.#all;
  }

  get errorCount(): number {
    return this.#all.filter(({ severity }) => severity === 'error').length;
  }

  error(code: ErrorCode, place: Place, message: string): void {
    this.add('error', { code, place, message });
  }

  warn(code: ErrorCode, place: Place, message: string): void {
    this.add('warning', { code, place, message });
  }

  add(severity: Problem['severity'], { code, place, message, remedy, missing }: Finding): void {
    const { file, line, key } = place;
    this.#all.push({
      severity,
      code,
      file,
      ...(line === undefined ? {} : { line }),
      ...(key === undefined ? {} : { key: withoutKeys(key) }),
      message: withoutKeys(message),
      remedy: remedy ?? catalogue[code].remedy,
      ...(missing ? { variable: missing.variable, neededBy: [missing.agent] } : {}),
      ...(missing?.envFile === undefined ? {} : { envFile: missing.envFile }),
    });
  }
}

/** What concerns several agents, such as a default or an override, is found for each of them and said once. */
export function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

export interface Finding {
  readonly code: ErrorCode;
  readonly place: Place;
  readonly message: string;
  /** @default the catalogue's */
  readonly remedy?: string;
  /** A variable that an agent needs and that is defined nowhere. */
  readonly missing?: { readonly variable: string; readonly agent: string; readonly envFile?: string | undefined };
}

/** For a path of the command line that leads nowhere. */
export const flagRemedy = 'Correct the path, or create the file; paths of flags begin where the command was started.';

/** `desk.ai:3: error: maxTurns: …`, as editors and people read it: one line, whatever a file says. */
export function toLine({ file, line, severity, key, message }: Problem, cwd?: string): string {
  const path = cwd === undefined ? file : toShort(file, cwd);
  const where = line === undefined ? path : `${path}:${line}`;
  return oneLine(`${where}: ${severity}: ${key === undefined ? '' : `${key}: `}${message}`);
}

/** What to say to somebody who wrote a word that nobody knows. */
export function meantBy(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  return close === undefined ? `known are ${known.join(', ')}` : `did you mean ${close}?`;
}

/** As somebody in this folder would name it. */
export function toShort(file: string, cwd: string): string {
  const path = isAbsolute(file) ? relative(cwd, file) : file;
  return path.startsWith('..') || path === '' ? file : path;
}

/** For whoever can only take one: the first error's code, and every error's words. */
export function toError(problems: readonly Problem[]): AgentError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return new AgentError('internal', 'There was no problem to tell of.');
  return new AgentError(first.code, errors.map((one) => toLine(one)).join('\n'), { remedy: first.remedy });
}
