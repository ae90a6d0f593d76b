// `--save-all`: what was said in every session of a run, a file for each, in a folder that no other run has.

import { mkdir, mkdtemp, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf, type Outcome, type SessionNode } from '@ai-agent/core';
import { toPrintable } from '../../render/printable.ts';
import { makeFolder } from '../make-folder.ts';

/** Why nothing could be kept there, found out while it costs nothing; undefined when it can. */
export async function whyNotSaved(folder: string, cwd: string): Promise<string | undefined> {
  if (folder.trim() === '') return '--save-all needs the name of a folder.';
  try {
    const path = resolve(cwd, folder);
    makeFolder(path);
    await rmdir(await mkdtemp(join(path, 'trial-')));
    return undefined;
  } catch (error) {
    return `--save-all ${folder}: nothing can be written there: ${inWords(error)}.`;
  }
}

/** What goes wrong most, in plain words. */
function inWords(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR') return 'it is no folder';
  return code === 'EACCES' || code === 'EPERM' ? 'it is not allowed' : messageOf(error);
}

export interface Saving {
  /** What people said on the command line. */
  readonly folder: string;
  readonly cwd: string;
}

/** A sentence about what came of it. Never throws: a run is over, and keeps its exit code. */
export async function saveConversations(
  outcome: Outcome,
  { folder, cwd }: Saving,
): Promise<{ readonly said: string; readonly isSaved: boolean }> {
  const own = join(folder, folderOf(outcome));
  try {
    const records = toRecords(outcome);
    const path = resolve(cwd, own);
    // One of this name would be another run's.
    makeFolder(resolve(cwd, folder));
    await mkdir(path);
    for (const [name, record] of records)
      await writeFile(join(path, name), `${JSON.stringify(record, null, 2)}\n`, { flag: 'wx' });
    const files = records.length === 1 ? '1 conversation is' : `${records.length} conversations are`;
    return { said: toPrintable(`${files} in ${own}\n`), isSaved: true };
  } catch (error) {
    return {
      said: toPrintable(`The conversations could not be saved in ${own}: ${messageOf(error)}\n`),
      isSaved: false,
    };
  }
}

/** Folders of one parent are in the order of their runs. */
function folderOf({ startedAt, sessionId }: Outcome): string {
  const at = new Date(startedAt).toISOString().slice(0, 23).replaceAll(':', '-');
  return `${at}-${toFileName(sessionId)}`;
}

/** Name and content of each file, in the order in which the sessions began. */
function toRecords({ conversations, tree }: Outcome): readonly (readonly [string, object])[] {
  const nodes = sessionsOf(tree).sort((one, other) => one.startedAt - other.startedAt);
  const known = nodes.filter(({ trace }) => Object.hasOwn(conversations, trace.selfId));
  const ids = new Set([...known.map(({ trace }) => trace.selfId), ...Object.keys(conversations)]);
  const width = Math.max(3, String(ids.size).length);
  return [...ids].map((id, i) => {
    const node = known.find(({ trace }) => trace.selfId === id);
    const name = `${String(i + 1).padStart(width, '0')}-${toFileName(node ? placeOf(node) : id)}.json`;
    return [name, { sessionId: id, ...headOf(node), messages: conversations[id] }];
  });
}

function sessionsOf(root: SessionNode | undefined): SessionNode[] {
  if (!root) return [];
  const below = root.turns.flatMap(({ operations }) =>
    operations.flatMap((operation) =>
      operation.type === 'tool' ? [operation.session, ...(operation.inside ?? [])].flatMap(sessionsOf) : [],
    ),
  );
  return [root, ...below];
}

function headOf(node: SessionNode | undefined): object {
  if (!node) return {};
  const { trace, partner, title, status, limit, failure, startedAt, endedAt, usage } = node;
  return { trace, partner, title, status, limit, failure, startedAt, endedAt, usage };
}

/** `desk.researcher-2`: the agents above it, then which one of its name it is. */
function placeOf({ trace: { callPath, instanceName } }: SessionNode): string {
  const above = callPath.split(':').slice(0, -1);
  return [...above, instanceName.replace(/\[(\d+)\]$/, '-$1')].join('.');
}

/** Names of agents are plain; what is not is made so. */
function toFileName(text: string): string {
  return text.replace(/[^\w.-]+/g, '_').slice(-120);
}
