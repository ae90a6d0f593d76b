// The store of a server: opened before anybody comes in. Without one, sessions are in memory, and whoever runs it is told.

import { type StoreSettings, storeSettingsOf } from '@ai-agent/agents';
import { AgentError } from '@ai-agent/core';
import type { Store } from '@ai-agent/store';
import type { Words } from '../../arguments.ts';
import { homeFolder } from '../../assemble.ts';
import { chooseStore, placeInWords, type StoreChoice } from '../../store-choice.ts';
import type { Found } from '../find-agents.ts';
import type { ServerLog } from './server-log.ts';
import { canWrite, inWords, StoreWatch, watchStore } from './watched-store.ts';

export interface StoreOfServer {
  readonly store: Store | undefined;
  /** Where sessions are kept, in a sentence. */
  readonly sentence: string;
}

export interface StoreOpening {
  readonly found: Found;
  readonly cwd: string;
  readonly log: Pick<ServerLog, 'fail' | 'say' | 'bug'>;
}

/** Never throws: a server without a store is better than none. */
export async function openStoreOfServer(words: Words, { found, cwd, log }: StoreOpening): Promise<StoreOfServer> {
  const home = homeFolder();
  const settings = found.registry.agents.map(({ configuration }) => storeSettingsOf(configuration, home));
  const distinct = [...new Map(settings.map((one) => [JSON.stringify(one), one])).values()];
  const [first = { isOn: true } satisfies StoreSettings] = distinct;
  const choice = chooseStore(words, first, { cwd, homeFolder: home });
  if (!choice) return { store: undefined, sentence: inMemory };
  const place = placeInWords(choice.where);
  if (distinct.length > 1)
    log.fail(`Agents are set up with different stores; all of their sessions are kept in ${place}.`);
  try {
    const watch = new StoreWatch(place, log);
    const store = watchStore(await open(choice, watch), watch);
    const isWritten = await canWrite(store, Date.now());
    return {
      store,
      sentence: isWritten
        ? `Sessions are kept in ${place}.`
        : `Sessions are kept in memory until ${place} can be written.`,
    };
  } catch (error) {
    log.fail(`Sessions are kept in memory alone: ${inWords(error)}`);
    return { store: undefined, sentence: inMemory };
  }
}

const inMemory = 'Sessions are kept in memory, until it is stopped.';

/** One that does not answer is not waited for. */
async function open({ where, retention }: StoreChoice, { failed, tended, warned }: StoreWatch): Promise<Store> {
  const { openStore } = await import('@ai-agent/store');
  const opened = openStore(where, { retention, onBug: failed, onTended: tended, onWarning: warned });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      opened.then((store) => store.close()).catch(() => {});
      const seconds = patienceMs / 1_000;
      const message = `The store ${placeInWords(where)} did not answer within ${seconds} seconds.`;
      reject(new AgentError('store-unreachable', message));
    }, patienceMs);
  });
  return Promise.race([opened, late]).finally(() => clearTimeout(timer));
}

const patienceMs = 10_000;
