// Examples are programs that assert what they show, and agent files that answer: each must run as written, offline.

import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const folder = import.meta.dirname;
const command = join(folder, '../packages/cli/bin/ai-agent.cjs');
// What runs is kept there.
const home = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(() => rmSync(home, { recursive: true }));
const examples = readdirSync(folder).filter((name) => /^\d\d-.*\.ts$/.test(name));

test('they climb from 01 without a gap', () => {
  expect(examples.map((name) => name.slice(0, 2))).toEqual(examples.map((_, i) => String(i + 1).padStart(2, '0')));
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

test.each(examples)('%s', async (name) => {
  expect((await run(join(folder, name))).trim()).not.toBe('');
});

const files = globSync('*/*.ai', { cwd: folder }).sort();

test('there are agent files', () => {
  expect(files).toContain('release-desk/desk.ai');
  expect(files).toContain('research-team/lead.ai');
  expect(files).toContain('harbour/master.ai');
  expect(files).toContain('ticket-office/office.ai');
});

// Those with a JSON contract are asked in JSON.
test.each(files)('%s answers', async (name) => {
  const prompt = /researcher|source/.test(name) ? '{"question": "Northwind runs forty vans."}' : 'Version 2.4 is out.';
  expect((await run(command, name, '--quiet', prompt)).trim()).not.toBe('');
});

test('one can talk with the release desk', async () => {
  const talking = promisify(execFile)(process.execPath, [command, 'chat', 'release-desk/desk.ai', '--no-store', '-q'], {
    cwd: folder,
  });
  talking.child.stdin?.end('Version 2.4 is out.\nVersion 2.5 too.\n');
  expect((await talking).stdout).toMatch(/2\.4[\s\S]*\n\n[\s\S]*2\.5/);
});

test('the research team keeps its contracts, three levels deep', async () => {
  const prompt = 'Prepare a brief on Northwind. Northwind opened two depots in May. It runs forty electric vans.';
  const outcome = JSON.parse(await run(command, 'research-team/lead.ai', '--json', prompt));
  expect(outcome).toMatchObject({ status: 'completed', report: { title: 'Brief on Northwind' } });
  expect(outcome.report.points).toContain('Northwind opened two depots in May.');
  expect(Object.keys(outcome.ledger.byPath)).toEqual(['lead', 'lead:researcher', 'lead:researcher:source']);
});

test('the harbour has a server that somebody else wrote', async () => {
  const answer = await run(command, 'harbour/master.ai', '--quiet', 'What is in the logbook?');
  expect(answer).toContain('[FILE] 2026-05-02.md');
  expect(await run(command, 'tools', 'harbour/clerk.ai')).toContain(
    'logbook__list_directory\n  list_directory, server logbook',
  );
});

test('the ticket office hands over, hears its advisors and hands on', async () => {
  const prompt = 'My ferry was two hours late.';
  const outcome = JSON.parse(await run(command, 'ticket-office/office.ai', '--json', prompt));
  expect(outcome.status).toBe('completed');
  expect(Object.keys(outcome.ledger.byPath).sort()).toEqual([
    'office',
    'office:complaints',
    'office:complaints:goodwill',
    'office:complaints:rules',
    'office:complaints:tone',
  ]);
});

test('check has nothing to say of them', async () => {
  expect(await run(command, 'check', '.')).toBe(`${files.length} agents checked: 0 errors, 0 warnings\n`);
});

/** In the folder of the examples, with nothing in its environment: what it prints. */
async function run(...words: readonly string[]): Promise<string> {
  const options = { cwd: folder, timeout: 20_000, env: { PATH: process.env.PATH, HOME: home } };
  const running = promisify(execFile)(process.execPath, words, options);
  running.child.stdin?.end();
  return (await running).stdout;
}
