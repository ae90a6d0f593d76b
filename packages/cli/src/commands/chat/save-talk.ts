// `/save`: a talk as a file, Markdown for people or JSON for programs.

import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { ledgerOf, messageOf, toOutcomeDocument } from '@ai-agent/core';
import { systemClock } from '../../platform.ts';
import { toMarkdown } from '../sessions/to-markdown.ts';
import type { Talk } from './talk.ts';

export interface Saving {
  /** As it was said; empty when it was not. */
  readonly file: string;
  readonly cwd: string;
  /** Whether what is there may be written over. */
  readonly mayOverwrite: () => Promise<boolean>;
}

/** A sentence about what came of it. What was said may be private: nobody else reads a new file. */
export async function saveTalk(talk: Talk, { file, cwd, mayOverwrite }: Saving): Promise<string> {
  const name = file === '' ? usualName(talk) : file;
  const path = resolve(cwd, name);
  const text = extname(name).toLowerCase() === '.json' ? toJson(talk) : toPage(talk);
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!isThere(error)) return `It could not be saved: ${messageOf(error)}`;
    if (!(await mayOverwrite())) return `${name} is there already, and was left as it is.`;
    try {
      await writeFile(path, text);
    } catch (again) {
      return `It could not be saved: ${messageOf(again)}`;
    }
  }
  return `Saved as ${name}.`;
}

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/** `desk-2026-11-16.md`. */
function usualName({ setting: { about } }: Talk): string {
  const day = new Date(systemClock.now()).toISOString().slice(0, 10);
  return `${about.agent.replace(/[^\w.-]+/g, '_')}-${day}.md`;
}

/** As `sessions export` writes it. */
function toPage({ head, facts }: Talk): string {
  return head ? toMarkdown({ head, facts, ledger: ledgerOf(facts) }) : '';
}

function toJson({ setting: { about }, id, rounds }: Talk): string {
  const told = rounds.map(({ said, outcome }) => ({ said, outcome: outcome ? toOutcomeDocument(outcome) : null }));
  return `${JSON.stringify({ session: id, agent: about.agent, rounds: told }, null, 2)}\n`;
}
