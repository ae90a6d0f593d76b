// The real world for sessions of this process: its clock, its ids, and the models that need no set-up.

import { closeSync, openSync, readSync } from 'node:fs';
import { type Clock, type Ids, MemoryCache, MemoryPauses, type Ports, type PriceResolver } from '@ai-agent/core';
import { createModels } from '@ai-agent/models';

const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs, wake, isIdle = false) {
    // Node takes what is longer for no time at all: such a wait has several parts.
    if (durationMs > longestTimerMs) {
      const next = () => {
        cancel = systemClock.after(durationMs - longestTimerMs, wake, isIdle);
      };
      let cancel = systemClock.after(longestTimerMs, next, isIdle);
      return () => cancel();
    }
    const timer = setTimeout(wake, durationMs);
    if (isIdle) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The wall clock as it is now, and the time since then: what is shown of a run never goes back. */
export function steadyNow(): () => number {
  const zeroAt = systemClock.now() - systemClock.monotonicMs();
  return () => zeroAt + systemClock.monotonicMs();
}

// Five bits each. Without letters that are easily taken for another.
const letters = '23456789abcdefghijkmnpqrstuvwxyz';
const lettersOfId = 26;
/** Asking the system for a few bytes costs as much as for many. */
let chance = Buffer.alloc(0);

/** 130 random bits in letters and digits: nobody guesses one, and it needs no quoting anywhere. */
export const randomIds: Ids = {
  next() {
    if (chance.length < lettersOfId) chance = randomBytes(lettersOfId * 256);
    let id = '';
    for (let i = 0; i < lettersOfId; i++) id += letters[(chance[i] as number) & 31];
    chance = chance.subarray(lettersOfId);
    return id;
  },
};

/**
 * From where the system offers it as a file: loading Node's cryptography is a tenth of a start, and a run without TLS has
 * no other use for it.
 */
function randomBytes(count: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(count);
  return fill(bytes) ? bytes : process.getBuiltinModule('node:crypto').randomFillSync(bytes);
}

function fill(bytes: Buffer): boolean {
  try {
    const device = openSync('/dev/urandom', 'r');
    try {
      return readSync(device, bytes) === bytes.length;
    } finally {
      closeSync(device);
    }
  } catch {
    return false;
  }
}

/** The models of this process: its sessions share their connections. */
export const models = createModels({ now: systemClock.now });

/** What runs in this process costs nothing; everything else is for a price list to say. */
export const ownPrices: PriceResolver = (provider, model) =>
  `${provider}/${model}` === 'offline/demo' ? { input: 0, output: 0 } : undefined;

/** Of the whole process, so that a question of one run is answered by another. */
const pauses = new MemoryPauses();

/** Of the whole process too: what one run has asked a server, another need not ask again. */
const cache = new MemoryCache(systemClock);

const ports: Ports = { clock: systemClock, ids: randomIds, models: models.resolve, pauses, cache, prices: ownPrices };

/** What a session gets unless its embedder hands in something else. */
export function defaultPorts(): Ports {
  return ports;
}
