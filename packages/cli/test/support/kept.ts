// What the command has kept in the home of a test, read as anybody would read it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact, SessionHead } from '@ai-agent/core';
import { openStore } from '@ai-agent/store';

export function storeIn(cwd: string): string {
  return join(cwd, 'home/.ai-agent/sessions.sqlite');
}

/** The newest first; none where there is no store. */
export async function headsIn(cwd: string, place = storeIn(cwd)): Promise<readonly SessionHead[]> {
  if (!existsSync(place)) return [];
  const store = await openStore(place);
  const heads = await store.list({ limit: 100 });
  await store.close();
  return heads;
}

export async function factsIn(cwd: string, id: string): Promise<readonly Fact[]> {
  const store = await openStore(storeIn(cwd));
  const facts = await store.facts(id, 0);
  await store.close();
  return facts;
}
