// What models were asked, as a text that can be read and compared: every request in full, with names for what varies.

import { readFile, writeFile } from 'node:fs/promises';
import { arch, hostname, platform, release } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import type { Body } from './dialects.ts';
import { corpus } from './files.ts';
import type { Gateway, TeamScript, Upstream } from './gateway.ts';

/** Written anew with UPDATE_CORPUS=1; then each is read by somebody who knows what should be there. */
export async function expectUpstream(name: string, script: TeamScript, { upstream, url }: Gateway): Promise<void> {
  const found = withNames(stringify(inOrder(upstream, script), { lineWidth: 0, anchorPrefix: 'as-before-' }), url);
  const file = join(corpus, 'expected', `${name}.yaml`);
  if (process.env.UPDATE_CORPUS === '1') await writeFile(file, found);
  expect(found).toBe(await readFile(file, 'utf8'));
}

/** Agents as they stand in the script; sessions of one agent by what they were asked; each in its own order. */
function inOrder(upstream: readonly Upstream[], script: TeamScript) {
  const agents = Object.keys(script);
  const rank = ({ agent }: Upstream) => agents.indexOf(agent);
  const sorted = upstream.toSorted((a, b) => rank(a) - rank(b) || compare(a.prompt, b.prompt));
  const seen = new Map<string, unknown>();
  return sorted.map(({ agent, path, body }) => ({ agent, path, body: sharing(body, seen) }));
}

/** Tools and messages that were sent before are one value: a conversation stands there once, and grows. */
function sharing(body: Body, seen: Map<string, unknown>): object {
  const once = (value: unknown) => {
    const key = JSON.stringify(value);
    if (!seen.has(key)) seen.set(key, value);
    return seen.get(key);
  };
  const entries = Object.entries(body).map(([key, value]) => {
    if (key === 'messages' || key === 'input') return [key, (value as readonly unknown[]).map(once)];
    return [key, key === 'tools' || key === 'system' ? once(value) : value];
  });
  return Object.fromEntries(entries);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** All that differs from run to run, or from machine to machine. */
function withNames(text: string, url: string): string {
  const nonces: string[] = [];
  const nonceOf = (nonce: string) => {
    if (!nonces.includes(nonce)) nonces.push(nonce);
    return `<NONCE-${nonces.indexOf(nonce) + 1}>`;
  };
  const machine = `on ${platform()} ${arch()} (${release()})`;
  return text
    .replaceAll(url, '<GATEWAY>')
    .replaceAll(corpus, '<CD>')
    .replaceAll(machine, 'on <OS> <ARCH> (<KERNEL>)')
    .replace(/(?<=<CD> by )\S*(?= on <OS>)/g, '<USER>')
    .replaceAll(`machine ${hostname()}.`, 'machine <HOSTNAME>.')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/g, '<DATETIME>')
    .replace(/\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g, '<DAY>')
    .replace(/\b\d{10}(?= seconds after 1970)/g, '<TIMESTAMP>')
    .replace(/(?<=(?:advisory|response|original_user_request)__)[0-9a-f]{8}\b/g, nonceOf)
    .replace(/(?<=ai-agent-)[0-9a-f]{8}(?=-META)/g, nonceOf)
    .replace(/\bout-[\d.-]+-[0-9a-f]{8}\b/g, '<HANDLE>')
    .replace(/(?<=\\*"elapsedMs\\*":)\d+/g, '<MS>');
}
