// A hundred clients of the Model Context Protocol at one server, round after round: some get their answers, the others cancel, leave, break
// off, fall silent or are killed. Each ends its own runs alone, and nothing is left.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerOfTeam, usageOfTeam } from '../packages/cli/test/support/echo-team.ts';
import { kinds, type LoadClient } from '../packages/cli/test/support/load-clients.ts';
import type { State } from '../packages/cli/test/support/load-server.ts';
import { callOverHttp, callOverSocket, type RawCall } from '../packages/cli/test/support/raw-mcp.ts';
import { type LoadServer, startLoadServer } from '../packages/cli/test/support/start-load-server.ts';
import type { Processes, Started } from './processes.ts';
import { waitFor } from './wait.ts';

export interface ManyClientsOptions {
  readonly processes: Processes;
  readonly say: (text: string) => void;
}

const clients = 100;
const raws = 4;
const rounds = 6;
/** What is compiled late has to come first, or it would count. */
const roundsBefore = 3;
const limitMs = 90_000;
/** A run or a session that is kept has some thousands. */
const bytesPerClient = 5_000;

const fates = ['answered', 'cancelled', 'left', 'answered'] as const;
const names = Object.keys(kinds);
const root = join(import.meta.dirname, '..');

export async function manyClients({ processes, say }: ManyClientsOptions): Promise<void> {
  const until = performance.now() + limitMs;
  const server = await startLoadServer();
  try {
    const heaps: number[] = [];
    for (let round = 0; round < rounds && performance.now() < until; round++) {
      heaps.push(await runRound(server, processes, round));
      await overStdio(round);
      say(`round ${round + 1}: ${clients} clients, ${Math.round((heaps.at(-1) ?? 0) / 1024)} kB on the heap`);
    }
    const late = heaps.slice(roundsBefore);
    const growth = Math.max(...late, 0) - Math.min(...late);
    assert.ok(late.length < 2 || growth < clients * bytesPerClient, `heaps of ${heaps.join(', ')} bytes`);
  } finally {
    await server.kill();
  }
}

interface Caller {
  readonly word: string;
  readonly fate: (typeof fates)[number];
  readonly client: LoadClient;
  readonly ending: AbortController;
  readonly came: Promise<Came | undefined>;
}

/** Gives what is on the server's heap in the end. */
async function runRound(server: LoadServer, processes: Processes, round: number): Promise<number> {
  const { url, order } = server;
  await order('forget');
  await order('hold');
  const callers = await Promise.all(Array.from({ length: clients }, (_, number) => toCaller(url, round, number)));
  const killed = names.map((kind, i) => startClient(processes, [kind, url, `word-${round}-killed-${i}`]));
  const killedWords = names.map((_, i) => `word-${round}-killed-${i}`);
  const whole = [...callers.map(({ word }) => word), ...killedWords];
  await hold(server, whole);
  // The last to come: who answers no ping is not there for long.
  const cutWords = Array.from({ length: raws }, (_, i) => `word-${round}-cut-${i}`);
  const cut = await Promise.all(
    cutWords.map((word, i) => (i % 2 ? callOverHttp(url, word) : callOverSocket(url, word))),
  );
  await hold(server, [...whole, ...cutWords]);
  await Promise.all([...killed.map((client) => client.kill()), ...callers.map(endAs), ...cut.map(breakOff)]);
  const stay = callers.filter(({ fate }) => fate === 'answered').map(({ word }) => word);
  await hold(server, stay);
  const gone = callers.filter(({ fate }) => fate !== 'answered').map(({ word }) => word);
  assert.deepEqual((await order('state')).aborted, twice([...gone, ...killedWords, ...cutWords]));
  await order('go');
  for (const caller of callers) check(caller, await caller.came);
  await Promise.all(callers.filter(({ fate }) => fate !== 'left').map(({ client }) => client.close()));
  return (await nothingLeft(server)).heapBytes;
}

/** Connects and calls at once: a connection that nobody used for a while may be closed just when it is used again. */
async function toCaller(url: string, round: number, number: number): Promise<Caller> {
  const kind = names[number % names.length] ?? '';
  const client = await kinds[kind]?.(url);
  assert.ok(client);
  const fate = fates[Math.floor(number / names.length) % fates.length] ?? 'answered';
  const word = `word-${round}-${fate}-${number}`;
  const ending = new AbortController();
  return { word, fate, client, ending, came: settled(client.call(word, ending.signal)) };
}

async function endAs({ fate, client, ending }: Caller): Promise<void> {
  if (fate === 'cancelled') ending.abort('not needed');
  if (fate === 'left') await client.leave();
}

function breakOff({ socket }: RawCall, number: number): void {
  // One of them only stops to read and to answer pings.
  if (number === 0) socket.pause();
  else socket.destroy();
}

type Came = PromiseSettledResult<Awaited<ReturnType<LoadClient['call']>>>;

async function settled(call: ReturnType<LoadClient['call']>): Promise<Came | undefined> {
  const [came] = await Promise.allSettled([call]);
  return came;
}

function check({ word, fate }: Caller, came: Came | undefined): void {
  assert.ok(came);
  if (fate !== 'answered') {
    assert.equal(came.status, 'rejected', word);
    return;
  }
  assert.equal(came.status, 'fulfilled', word);
  const { text, usage, told } = came.value;
  assert.equal(text, answerOfTeam(word));
  assert.partialDeepStrictEqual(usage, usageOfTeam);
  for (const message of told) for (const [other] of message.matchAll(/word-[\w-]+/g)) assert.equal(other, word);
}

async function hold({ order }: LoadServer, words: readonly string[]): Promise<void> {
  const wanted = twice(words);
  const isSo = async () => {
    const { held } = await order('state');
    if (isDeepStrictEqual(held, wanted)) return true;
    const missing = words.filter((word) => !held.includes(word));
    throw new Error(`${held.length} of ${wanted.length}, without ${missing.join(', ')}`);
  };
  await waitFor(`${words.length} words are held`, isSo, 40_000);
}

async function nothingLeft({ order }: LoadServer): Promise<State> {
  const isSo = async () => {
    const { running, places, sockets } = await order('state');
    return running + places + sockets === 0 ? true : undefined;
  };
  await waitFor('nothing is in use', isSo);
  const left = await order('collect');
  assert.deepEqual([left.held, left.bugs], [[], []]);
  return left;
}

function twice(words: readonly string[]): readonly string[] {
  return [...words, ...words].sort();
}

function startClient(processes: Processes, args: readonly string[]): Started {
  const file = join(root, 'packages/cli/test/support/load-client.ts');
  return processes.start({ name: 'client', file: process.execPath, args: [file, ...args] });
}

/** Some with a server of their own, which is gone with its client. */
async function overStdio(round: number): Promise<void> {
  await Promise.all(
    [1, 2].map(async (number) => {
      const args = [
        join(root, 'packages/cli/bin/ai-agent.cjs'),
        'serve',
        'examples/release-desk/note.ai',
        '--mcp',
        'stdio',
        '--no-store',
      ];
      const transport = new StdioClientTransport({ command: process.execPath, args, cwd: root, stderr: 'ignore' });
      const client = new Client({ name: 'soak', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(transport);
      const { pid } = transport;
      const word = `Version ${round}.${number} is out.`;
      const { content } = await client.callTool({ name: 'note', arguments: { text: word } });
      assert.ok(JSON.stringify(content).includes(word));
      await client.close();
      await waitFor('its server is gone', () => (isAlive(pid) ? undefined : true), 10_000);
    }),
  );
}

function isAlive(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}
