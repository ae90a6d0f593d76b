// Logins for as long as this process lives.

import type { TokenStore } from './token-store.ts';

export function memoryTokenStore(): TokenStore {
  const kept = new Map<string, string>();
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
  };
}
