// `ai-agent serve <files, folders or globs…>`: agents behind a port or at the streams of the process, until it is told to stop.

import type { Writable } from 'node:stream';
import type { Store } from '@ai-agent/store';
import { flagValue, flagValues, type Words } from '../arguments.ts';
import { systemClock } from '../platform.ts';
import type { Terminal } from '../terminal.ts';
import { type Found, findAgents, type Search } from './find-agents.ts';
import { type Guard, refuse } from './load.ts';
import { misuse } from './misuse.ts';
import { AgentsOnDuty } from './serve/agents-on-duty.ts';
import { Answers } from './serve/generation.ts';
import { type House, openHouse } from './serve/house.ts';
import { serveUntilStopped } from './serve/life.ts';
import { keepStdout } from './serve/own-stdout.ts';
import { PluginsOfServer } from './serve/plugins-of-server.ts';
import { readServeSettings, type ServeSettings } from './serve/serve-settings.ts';
import { ServerLog } from './serve/server-log.ts';
import { readSetUp, type SetUp } from './serve/set-up.ts';
import { openStoreOfServer } from './serve/store-of-server.ts';
import { tellStart } from './serve/tell-start.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const isJson = flagValue(words, '--json') !== undefined;
  const help = 'ai-agent serve --help';
  // Before anybody can print anything.
  const stdout = flagValues(words, '--mcp').includes('stdio') ? keepStdout() : undefined;
  const settings = readServeSettings(words);
  if ('problem' in settings) return misuse(terminal, settings.problem, { help, isJson });
  const log = new ServerLog(terminal, { ...settings, now: systemClock.now });
  const load = toLoad(words, settings, log);
  const found = await load();
  const { entries } = found;
  if (found.registry.files.length === 0 && settings.entries.length === 0) {
    found.leave();
    const problem = 'There is no agent here: name files, folders or globs.';
    return misuse(terminal, problem, { help, isJson });
  }
  const setUp = readSetUp(words, settings, found);
  const { problems } = setUp;
  if (problems.some(({ severity }) => severity === 'error')) {
    await found.close();
    found.leave();
    return refuse(problems, { entries, isJson, what: 'a server' }, terminal);
  }
  const plugins = new PluginsOfServer((problem) => log.fail(problem));
  const answers = new Answers();
  const shared = { answers, plugins: plugins.port };
  const cwd = terminal.input.cwd;
  const tellAlso = (again: Found) => [...setUp.changes(again), ...setUp.oddities(again)];
  const duty = new AgentsOnDuty(found, { load, shared, log, cwd, tellAlso });
  const opening = openStoreOfServer(words, { found, cwd, log });
  const house = await open({ settings, setUp, duty, log, stdout, store: opening.then(({ store }) => store) }, found);
  const kept = await opening;
  const { store } = kept;
  // Whoever reads that it listens may stop it at once.
  const stopped = serveUntilStopped({ house, duty, plugins, answers, log, store, graceMs: setUp.value.graceMs });
  if (settings.isWatching) duty.watch(() => house.hall.agentsChanged());
  const oddities = setUp.oddities(found);
  tellStart({ house, settings, found, duty, setUp: setUp.value, oddities, log, kept }, terminal);
  return stopped;
}

/** As for a run: with what flags say, for every agent that is named. */
function toLoad(words: Words, { entries }: ServeSettings, log: ServerLog): () => Promise<Found> {
  const named = { ...words, words: entries.map((text) => ({ text, isLiteral: true })) };
  const guard: Guard = { isOn: false, secrets: new Set(), tell: (line) => log.fail(line) };
  let startsAtOnce: number | undefined;
  const outside = { startsAtOnce: () => startsAtOnce };
  const search: Search = { purpose: 'run', isServed: true, flags: words.flags, guard, outside };
  return async () => {
    const found = await findAgents(named, search);
    const said = found.registry.agents.map(({ effective }) => effective.said('mcpInitConcurrency')?.value);
    const numbers = said.filter((value) => typeof value === 'number');
    startsAtOnce = numbers.length === 0 ? undefined : Math.min(...numbers);
    return found;
  };
}

interface Opening {
  readonly settings: ServeSettings;
  readonly setUp: { readonly value: SetUp };
  readonly duty: AgentsOnDuty;
  readonly log: ServerLog;
  readonly stdout: Writable | undefined;
  readonly store: Promise<Store | undefined>;
}

/** Nothing stays behind when nobody can listen there. */
async function open({ duty, ...opening }: Opening, { leave }: Found): Promise<House> {
  try {
    return await openHouse({ ...opening, setUp: opening.setUp.value, agents: () => duty.agents });
  } catch (error) {
    const store = await opening.store;
    await store?.close().catch(() => {});
    await duty.close();
    leave();
    throw error;
  }
}
