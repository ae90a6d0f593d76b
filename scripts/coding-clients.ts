// `npm run clients`: installs coding clients of others, has each of them work with a served agent as its model, and says what worked.
// Never longer than eight minutes.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Processes } from '../soak/processes.ts';
import { type Client, clientsOf } from './coding-clients/clients.ts';
import { installClients, versions } from './coding-clients/install-clients.ts';
import { answers, helpings, prompts, type ServedTeam, serveTeam } from './coding-clients/served-team.ts';

if (process.argv.includes('--help')) {
  console.log(
    'npm run clients\n\nInstalls Codex CLI, opencode and Claude Code with npm into a temporary folder, serves a team of two agents with a\nscripted model on this machine, and has each client ask it: for a plain answer, for work with tools of the client and\nof the agent, and Claude Code also for the same team over MCP. They have homes of their own. Ends within eight minutes.',
  );
  process.exit(0);
}

const limitMs = 480_000;
const clientMs = 90_000;

const began = Date.now();
const processes = new Processes();
const folder = mkdtempSync(join(tmpdir(), 'ai-agent-clients-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
const say = (text: string) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const deadline = setTimeout(() => {
  say(`not done after ${limitMs / 1000} s`);
  process.exit(1);
}, limitMs);

try {
  say(
    Object.entries(versions)
      .map((one) => one.join('@'))
      .join(', '),
  );
  const commands = await installClients(processes, folder);
  const team = await serveTeam(processes, makeFolder('team'));
  say(`serves at ${team.url}`);
  const rows: (readonly string[])[] = [];
  for (const client of clientsOf(team)) {
    const row = await tryOut(client, team, commands);
    rows.push([client.name, ...row]);
    say(`${client.name}: ${row.join(' ')}`);
  }
  console.log(`\n${toTable([['', 'a plain answer', 'tools of both', 'over MCP too'], ...rows])}`);
  if (rows.flat().includes('no')) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await processes.killAll();
  clearTimeout(deadline);
  process.exit();
}

/** What came of each. */
async function tryOut(client: Client, team: ServedTeam, commands: string): Promise<readonly string[]> {
  const place = makeFolder(client.name.replaceAll(/\W+/g, '-'));
  for (const [name, text] of Object.entries(client.files)) {
    mkdirSync(dirname(join(place, 'home', name)), { recursive: true });
    writeFileSync(join(place, 'home', name), text);
  }
  mkdirSync(join(place, 'work'));
  const asked = { client, place, commands, team };
  const plain = await hears(asked, 'plain');
  const tools = await hears(asked, 'tools');
  return [plain, tools, client.command === 'claude' ? await hears(asked, 'mcp') : ''];
}

interface Asked {
  readonly client: Client;
  readonly place: string;
  readonly commands: string;
  readonly team: ServedTeam;
}

async function hears({ client, place, commands, team }: Asked, what: keyof typeof prompts): Promise<string> {
  const { name, command, env } = client;
  const before = team.helped();
  const path = [commands, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  const started = processes.start({
    name,
    file: join(commands, command),
    args: client.toArgs(prompts[what]),
    cwd: join(place, 'work'),
    env: { PATH: path, HOME: join(place, 'home'), ...env },
  });
  const timer = setTimeout(() => void started.kill(), clientMs);
  const code = await started.ended;
  clearTimeout(timer);
  const helped = team.helped() - before;
  if (code === 0 && started.said().includes(answers[what]) && helped === helpings[what]) return 'yes';
  say(`${name} ended with ${code}, the helper was asked ${helped} times:\n${started.said()}\n${team.said()}`);
  return 'no';
}

function makeFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
