// A team behind the real command, with a model that follows a script: it calls what the client runs, and an agent of its own.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveScript } from '@ai-agent/cli/testing';
import type { ModelRequest } from '@ai-agent/core';
import type { Step } from '@ai-agent/core/testing';
import { hashOf } from '@ai-agent/server';
import type { Processes } from '../../soak/processes.ts';
import { freePorts, waitFor } from '../../soak/wait.ts';

export interface ServedTeam {
  readonly url: string;
  readonly key: string;
  /** How often the helper was asked so far. */
  helped(): number;
  /** What the server has said, for when something went wrong. */
  said(): string;
  close(): Promise<void>;
}

/** What a client is told to say, and what the agent then does. */
export const prompts = {
  plain: 'Answer plainly.',
  tools: 'Use the tools.',
  mcp: 'Ask over the protocol.',
} as const;

/** What the answer is when everything was done, and nothing twice. */
export const answers = {
  plain: 'A plain answer.',
  tools: 'Twice from the client: from-the-client-42, from-the-client-43. Twice from the helper: 7, 7.',
  mcp: 'Over the protocol: 7.',
} as const;

/** How often the helper is asked for each. More would be work that was done again. */
export const helpings = { plain: 0, tools: 2, mcp: 1 } as const;

const key = 'the-key-of-the-coding-clients';

export async function serveTeam(processes: Processes, folder: string): Promise<ServedTeam> {
  const model = await serveScript(reply);
  mkdirSync(join(folder, 'home'), { recursive: true });
  for (const [name, text] of Object.entries(filesOf(model.baseUrl))) writeFileSync(join(folder, name), text);
  const [port] = await freePorts(1);
  const file = join(import.meta.dirname, '../../node_modules/.bin/ai-agent');
  const args = ['serve', 'coder.ai', 'helper.ai', '--port', String(port), '--json'];
  const env = { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') };
  const server = processes.start({ name: 'ai-agent serve', file, args, cwd: folder, env });
  const url = `http://127.0.0.1:${port}`;
  await waitFor('the server listens', () => isListening(url), 60_000);
  return {
    url,
    key,
    helped: () => model.requests.filter(isOfHelper).length,
    said: server.said,
    async close() {
      await server.kill();
      await model.close();
    },
  };
}

function filesOf(baseUrl: string): Readonly<Record<string, string>> {
  const config = {
    providers: { local: { type: 'openai-compatible', baseUrl } },
    api: { keys: { clients: { hash: hashOf(key) } } },
  };
  return {
    '.ai-agent.json': JSON.stringify(config, null, 2),
    'coder.ai': toFile(
      ['models: local/scripted', 'description: Writes programs.', 'agents: helper.ai'],
      'You program.',
    ),
    'helper.ai': toFile(['models: local/scripted', 'description: Knows a number.'], 'You are the helper.'),
  };
}

function toFile(frontmatter: readonly string[], body: string): string {
  return `---\n${frontmatter.join('\n')}\n---\n${body}\n`;
}

async function isListening(url: string): Promise<true | undefined> {
  return (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).ok || undefined;
}

/** Programs that clients have to run commands, by the names they give them. */
const shells: Readonly<Record<string, (command: string) => object>> = {
  exec_command: (cmd) => ({ cmd }),
  bash: (command) => ({ command, description: 'Says something' }),
  Bash: (command) => ({ command, description: 'Says something' }),
};

function reply(request: ModelRequest): Step | string {
  if (isOfHelper(request)) return '7';
  const said = lastWords(request);
  if (said.includes(prompts.plain)) return answers.plain;
  const shell = request.tools.find(({ name }) => Object.hasOwn(shells, name))?.name;
  // Some clients have conversations named.
  if (shell === undefined) return 'A name for it';
  return said.includes(prompts.mcp) ? overProtocol(request) : useTools(request, shell);
}

function useTools(request: ModelRequest, shell: string): Step | string {
  const fromClient = resultsWith(request, /from-the-client-\d+/);
  const fromHelper = resultsWith(request, /\b7\b/);
  const ask = { name: 'agent__helper', input: { text: 'Which number?', reason: 'To know it' } };
  const run = (command: string) => ({ name: shell, input: shells[shell]?.(command) });
  if (fromClient.length === 0) return { calls: [run('echo from-the-client-$((40+2))')] };
  if (fromHelper.length === 0) return { calls: [ask] };
  // One here and one there, at once.
  if (fromClient.length === 1) return { calls: [ask, run('echo from-the-client-$((40+3))')] };
  return `Twice from the client: ${fromClient.join(', ')}. Twice from the helper: ${fromHelper.join(', ')}.`;
}

/** A client may show its tools only to who looks for them. */
function overProtocol(request: ModelRequest): Step | string {
  const [found] = resultsWith(request, /\b7\b/);
  if (found !== undefined) return `Over the protocol: ${found}.`;
  const tool = request.tools.find(({ name }) => name === 'mcp__team__helper');
  if (tool) return { calls: [{ name: tool.name, input: { text: 'Which number?' } }] };
  return { calls: [{ name: 'ToolSearch', input: { query: 'select:mcp__team__helper', max_results: 5 } }] };
}

function isOfHelper({ system }: ModelRequest): boolean {
  return system.includes('You are the helper.');
}

function lastWords({ messages }: ModelRequest): string {
  const users = messages.filter((message) => message.role === 'user');
  return users
    .map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'))
    .join('\n');
}

/** What was found of it in each result, in their order. */
function resultsWith({ messages }: ModelRequest, words: RegExp): readonly string[] {
  const texts = messages.flatMap((message) => (message.role === 'tool' ? message.content.map(({ text }) => text) : []));
  return texts.flatMap((text) => words.exec(text)?.[0] ?? []);
}
