// Opens the store that a path or an address names; what it needs is loaded then.

import { AgentError } from '@ai-agent/core';
import type { Store, StoreOptions } from './store.ts';

export async function openStore(where: string, _options: StoreOptions = {}): Promise<Store> {
  throw new AgentError('store-failed', `This build keeps no sessions in ${where}.`);
}
