// How each client is told whom to ask, by the files of docs/coding-clients.md, and started without a terminal.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServedTeam } from './served-team.ts';

export interface Client {
  readonly name: string;
  /** Paths below the home to what is in them. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
  toArgs(prompt: string): readonly string[];
}

type Team = Pick<ServedTeam, 'url' | 'key'>;

export function clientsOf(team: Team): readonly Client[] {
  return [codex(team), ...opencodes(team), claude(team)];
}

function codex({ url, key }: Team): Client {
  const atHome = ['[features]', 'plugins = false', 'apps = false', '[analytics]', 'enabled = false'];
  const config = ['check_for_update_on_startup = false', ...pageBlocks('Codex CLI', 'toml', url), ...atHome];
  return {
    name: 'Codex CLI, responses',
    files: { '.codex/config.toml': `${config.join('\n')}\n` },
    env: { AI_AGENT_KEY: key },
    command: 'codex',
    toArgs: (prompt) => ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt],
  };
}

/** It can speak each of the three APIs. */
function opencodes({ url, key }: Team): readonly Client[] {
  const [config = ''] = pageBlocks('opencode', 'json', url);
  const packages = {
    'chat completions': '@ai-sdk/openai-compatible',
    responses: '@ai-sdk/openai',
    messages: '@ai-sdk/anthropic',
  };
  return Object.entries(packages).map(([api, npm]) => ({
    name: `opencode, ${api}`,
    files: { '.config/opencode/opencode.json': config.replace('@ai-sdk/openai-compatible', npm) },
    env: { AI_AGENT_KEY: key, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    command: 'opencode',
    toArgs: (prompt) => ['run', prompt],
  }));
}

function claude({ url, key }: Team): Client {
  const [exports = ''] = pageBlocks('Claude Code', 'sh', url);
  const [servers = ''] = pageBlocks('Claude Code', 'json', url);
  const lines = exports.matchAll(/^export (\w+)=(.*)$/gm);
  const env = Object.fromEntries([...lines].map(([, name, value]) => [name, value?.replace('$AI_AGENT_KEY', key)]));
  const tools = ['--allowedTools', 'Bash', 'mcp__team__helper'];
  return {
    name: 'Claude Code, messages',
    files: { 'agents.json': servers },
    env: { ...env, AI_AGENT_KEY: key },
    command: 'claude',
    toArgs: (prompt) => ['--print', '--mcp-config', '../home/agents.json', ...tools, '--', prompt],
  };
}

const page = readFileSync(join(import.meta.dirname, '../../docs/coding-clients.md'), 'utf8');

/** What stands in fences of this kind under a heading, for a server at this address. */
function pageBlocks(heading: string, kind: string, url: string): readonly string[] {
  const section = page.split('\n## ').find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, 'gms'))];
  return blocks.map(([, text = '']) => text.replaceAll('http://127.0.0.1:8080', url));
}
