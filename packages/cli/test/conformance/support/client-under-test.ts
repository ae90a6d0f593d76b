// What the suite runs as its client: the built command, with an agent whose only server is the suite's. Its last argument is the
// address of that server; the rest comes in variables.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const url = process.argv.at(-1) ?? '';
const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT = '{}', MODEL_URL = '' } = process.env;
const context: Readonly<Record<string, unknown>> = JSON.parse(MCP_CONFORMANCE_CONTEXT);

const folder = await mkdtemp(join(tmpdir(), 'conformance-client-'));
try {
  await writeFiles();
  process.exitCode = isAttended() ? await runInTerminal() : await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeFiles(): Promise<void> {
  const oauth = toOAuth();
  const config = {
    providers: { local: { type: 'openai-compatible', baseUrl: MODEL_URL } },
    mcpServers: { suite: { url, ...(oauth ? { oauth } : {}) } },
  };
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, '.ai-agent.json'), JSON.stringify(config));
  await writeFile(
    join(folder, 'client.ai'),
    '---\nmodels: local/m\ntools: suite\n---\nYou call what you are told to.\n',
  );
}

/** What somebody would have written down who got this from the owner of the server. */
function toOAuth(): object | undefined {
  const { client_id, client_secret, private_key_pem, signing_algorithm } = context;
  if (scenario === 'auth/basic-cimd')
    return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  if (client_id === undefined) return undefined;
  return {
    clientId: client_id,
    ...(client_secret === undefined ? {} : { clientSecret: client_secret }),
    ...(private_key_pem === undefined ? {} : { privateKey: private_key_pem, algorithm: signing_algorithm }),
    ...(scenario.startsWith('auth/client-credentials') ? { grant: 'client_credentials' } : {}),
  };
}

/** Whether the server asks a person. */
function isAttended(): boolean {
  return scenario.startsWith('elicitation') || scenario.startsWith('sep-2322');
}

function toStart(): { args: string[]; env: Record<string, string> } {
  const browser = fileURLToPath(new URL('browser.mjs', import.meta.url));
  return {
    args: ['client.ai', JSON.stringify({ scenario, toolCalls: context.toolCalls ?? [] })],
    env: {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: join(folder, 'home'),
      BROWSER: `${process.execPath} ${browser}`,
      NODE_COMPILE_CACHE: join(tmpdir(), 'ai-agent-test-cache'),
    },
  };
}

function commandPath(): string {
  return fileURLToPath(new URL('../../../../../node_modules/.bin/ai-agent', import.meta.url));
}

async function run(): Promise<number> {
  const { args, env } = toStart();
  const child = spawn(commandPath(), args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] });
  process.once('SIGTERM', () => child.kill());
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : 1;
}

/** Somebody sits there who agrees to whatever is offered. */
async function runInTerminal(): Promise<number> {
  const { openTerminal } = await import('../../support/terminal.ts');
  const start = { cwd: folder, columns: 120, rows: 50, ...toStart() };
  const terminal = openTerminal({ ...start, program: commandPath(), env: { ...start.env, TERM: 'xterm-256color' } });
  process.once('SIGTERM', () => terminal.pty.kill());
  const { agree } = await import('./agreeable-person.ts');
  const code = await agree(terminal);
  process.stdout.write(terminal.history().join('\n'));
  return code;
}
