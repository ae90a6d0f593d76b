// A team whose model fails one request in five, under many clients, some of which leave: every run ends truthfully, and
// its ledger equals what the provider counted.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Chance } from './chance.ts';
import { problemsOf } from './chaos/checks.ts';
import { visit } from './chaos/clients.ts';
import { openProvider, type Provider } from './chaos/provider.ts';
import { type EndedRun, missingIn, readRun, refusedIn } from './chaos/sessions.ts';
import { promptOf, writeTeam } from './chaos/team.ts';
import { listSessions, type Place, startServer } from './kills/server.ts';
import type { Processes } from './processes.ts';
import { freePorts, waitFor } from './wait.ts';

export interface ChaosOptions {
  readonly processes: Processes;
  readonly say: (text: string) => void;
  /** A folder for the team and its store. */
  readonly data: string;
  /** Seed of all random choices. @default another one each time */
  readonly seed?: number | undefined;
  /** The number of runs to start, unless time is up before. @default 250 */
  readonly runs?: number | undefined;
}

const clients = 24;
/** No run is started after this. */
const limitMs = 75_000;
/** A run whose client has left ends within this. */
const lastEndMs = 60_000;
/** Fewer runs need not meet every fault. */
const runsForEveryFault = 200;
const mostProblems = 12;

export async function chaos(options: ChaosOptions): Promise<void> {
  const { processes, say, data, runs = 250, seed = Math.floor(Math.random() * 2 ** 31) } = options;
  say(`chaos of a provider: --seed ${seed} --runs ${runs}`);
  const provider = await openProvider(seed);
  try {
    const [port = 0] = await freePorts(1);
    const place = { processes, folder: join(data, 'team') };
    await writeTeam(place.folder, { provider: provider.url, closed: `http://127.0.0.1:${port}` });
    const store = join(data, 'sessions.sqlite');
    const server = await startServer(place, store);
    const left = await visitAll(server.url, { runs, chance: new Chance(seed) });
    const ended = await readAll(server.url, { place, store });
    say(`${ended.length} runs, ${left.size} clients left, ${provider.total().requests} requests`);
    check(ended, { provider, left, say });
    await server.process.kill();
  } finally {
    provider.close();
  }
}

interface Visits {
  readonly runs: number;
  readonly chance: Chance;
}

/** Returns the prompts whose clients left before the end. */
async function visitAll(url: string, { runs, chance }: Visits): Promise<ReadonlySet<string>> {
  const until = Date.now() + limitMs;
  const left = new Set<string>();
  let started = 0;
  const client = async () => {
    while (started < runs && Date.now() < until) {
      const prompt = promptOf(++started);
      if (await visit(url, prompt, chance)) left.add(prompt);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return left;
}

/** Every session of the store, when none is under way any more. */
async function readAll(url: string, { place, store }: { readonly place: Place; readonly store: string }) {
  const underWay: ReadonlySet<string> = new Set(['running', 'queued']);
  const listed = await waitFor(
    'every session has an end',
    async () => {
      const sessions = await listSessions(place, store);
      const running = sessions.filter(({ status }) => underWay.has(status));
      if (running.length > 0) throw new Error(`${running.length} of ${sessions.length} are under way`);
      return sessions;
    },
    lastEndMs,
  );
  const ended: EndedRun[] = [];
  for (const { id } of listed) ended.push(await readRun(url, id));
  return ended;
}

interface Checked {
  readonly provider: Provider;
  readonly left: ReadonlySet<string>;
  readonly say: (text: string) => void;
}

function check(ended: readonly EndedRun[], { provider, left, say }: Checked): void {
  const sum = (of: (run: EndedRun) => number) => ended.reduce((total, one) => total + of(one), 0);
  const refused = sum(({ facts }) => refusedIn(facts));
  const missing = sum(({ document: { status, tree } }) => (status === 'completed' ? missingIn(tree).length : 0));
  say(`how they ended: ${countOf(ended.map(({ document }) => document.status))}; ${missing} children missing`);
  say(`faults: ${[...provider.faults].map(([name, count]) => `${name} ${count}`).join(', ')}, refused ${refused}`);
  const { requests, unknown, inputTokens, outputTokens } = provider.total();
  say(`provider: ${requests + refused} requests, ${unknown} of unknown usage, ${inputTokens} + ${outputTokens} tokens`);
  const of = (key: 'modelCalls' | 'unknownUsageCalls' | 'inputTokens' | 'outputTokens') =>
    sum(({ document }) => document.ledger.total[key]);
  say(
    `ledgers:  ${of('modelCalls')} requests, ${of('unknownUsageCalls')} of unknown usage, ${of('inputTokens')} + ${of('outputTokens')} tokens`,
  );
  const runs = new Set(ended.map(({ run }) => run));
  assert.equal(runs.size, ended.length, 'each session has a run of its own');
  const problems = ended.flatMap((one) =>
    problemsOf(one, provider.tally(one.run), left.has(one.run)).map(
      (problem) => `${one.run} (${one.document.status}, ${one.document.sessionId}): ${problem}`,
    ),
  );
  if (problems.length > 0) {
    const shown = problems.slice(0, mostProblems).join('\n');
    assert.fail(`${problems.length} times a run is not what it says:\n${shown}`);
  }
  if (ended.length < runsForEveryFault) return;
  for (const [name, count] of provider.faults) assert.ok(count > 0, `no request failed by: ${name}`);
  assert.ok(refused > 0, 'no connection was refused');
  assert.ok(missing > 0, 'no answer lacks a child');
  assert.ok(left.size > 0, 'no client left');
}

function countOf(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
