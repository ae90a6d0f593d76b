// What tests of connections need: surroundings as a command would give them, servers of ours, and what these wrote down.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Calling, Clock } from '@ai-agent/core';
import { onTestFinished } from 'vitest';
import { Connections } from '../../src/mcp/connections.ts';
import type { CallOptions } from '../../src/mcp/link.ts';
import { readServerConfig, type ServerConfig } from '../../src/mcp/server-config.ts';
import type { Surroundings } from '../../src/surroundings.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};

export function surroundings(changes: Partial<Surroundings> = {}): Surroundings {
  return { clock: realClock, cwd: tmpdir(), serverEnv: { PATH: process.env.PATH ?? '' }, version: '1.2.3', ...changes };
}

/** Closed when the test is over, and nothing is left then. */
export function openConnections(changes: Partial<Surroundings> = {}): Connections {
  const connections = new Connections(surroundings(changes));
  onTestFinished(() => connections.close());
  return connections;
}

export function serverFile(name: string): string {
  return fileURLToPath(new URL(`servers/${name}`, import.meta.url));
}

/** A server by hand, and what it writes down. */
export function byHand(
  settings: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
) {
  const record = join(temporaryFolder(), 'record.jsonl');
  const args = [serverFile('by-hand.mjs'), JSON.stringify({ ...settings, record })];
  const server = readServerConfig('hand', { command: process.execPath, args, ...config });
  return { server, record, facts: () => readFacts(record) };
}

/** One that greets as it should, and then does what these settings say. */
export function rude(
  settings: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>> = {},
): ServerConfig {
  return readServerConfig('rude', { ...startedRude(settings), ...config });
}

export function startedRude(settings: Readonly<Record<string, unknown>>) {
  return { command: process.execPath, args: [serverFile('rude.mjs'), JSON.stringify(settings)] };
}

export function good(...args: readonly string[]): ServerConfig {
  return readServerConfig('good', { command: process.execPath, args: [serverFile('good.mjs'), ...args] });
}

export interface Fact {
  readonly event: string;
  readonly pid?: number;
  readonly tool?: string;
  readonly method?: string;
  readonly [key: string]: unknown;
}

export function readFacts(file: string): readonly Fact[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Fact);
  } catch {
    return [];
  }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const calling: Calling = { originId: 'o', callPath: 'tester' };

export function callOptions(changes: Partial<CallOptions> = {}): CallOptions {
  return { signal: never(), calling, isRepeatable: false, onProgress: () => {}, ...changes };
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

/** For what says nothing when it is so. */
export async function eventually(isSo: () => boolean, withinMs = 5_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`It was not so within ${withinMs} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
}

/** The text of a result. */
export function textOf(result: { readonly content?: readonly unknown[] }): string {
  return ((result.content?.[0] ?? {}) as { readonly text?: string }).text ?? '';
}
