// The real world for sessions of this process: its clock, its ids, and the models that need no set-up.

import { randomBytes } from 'node:crypto';
import type { Clock, Ids, Ports } from '@ai-agent/core';
import { createModels } from '@ai-agent/models';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(durationMs, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, durationMs);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  },
};

/** 128 random bits in letters and digits: nobody guesses one, and it needs no quoting anywhere. */
export const randomIds: Ids = { next: () => BigInt(`0x${randomBytes(16).toString('hex')}`).toString(36) };

const models = createModels({ now: systemClock.now });

/** What a session gets unless its embedder hands in something else. */
export function defaultPorts(): Ports {
  return { clock: systemClock, ids: randomIds, models: models.resolve };
}
