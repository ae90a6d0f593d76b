// How each client is told whom to ask, and started without a terminal. As docs/coding-clients.md has it.

import type { ServedTeam } from './served-team.ts';

export interface Client {
  readonly name: string;
  /** Paths below the home to what is in them. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
  toArgs(prompt: string): readonly string[];
}

export function clientsOf(team: ServedTeam): readonly Client[] {
  return [codex(team), ...opencodes(team), claude(team)];
}

function codex({ url, key }: ServedTeam): Client {
  const config = [
    'model = "coder"',
    'model_provider = "ai-agent"',
    'check_for_update_on_startup = false',
    '[features]',
    'plugins = false',
    'apps = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.ai-agent]',
    'name = "ai-agent"',
    `base_url = "${url}/v1"`,
    'env_key = "AI_AGENT_KEY"',
    'wire_api = "responses"',
  ];
  return {
    name: 'Codex CLI, responses',
    files: { '.codex/config.toml': `${config.join('\n')}\n` },
    env: { AI_AGENT_KEY: key },
    command: 'codex',
    toArgs: (prompt) => ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt],
  };
}

/** It can speak each of the three APIs. */
function opencodes({ url, key }: ServedTeam): readonly Client[] {
  const packages = {
    'chat completions': '@ai-sdk/openai-compatible',
    responses: '@ai-sdk/openai',
    messages: '@ai-sdk/anthropic',
  };
  return Object.entries(packages).map(([api, npm]) => {
    const options = { baseURL: `${url}/v1`, apiKey: '{env:AI_AGENT_KEY}' };
    const config = {
      model: 'ai-agent/coder',
      agent: { title: { disable: true } },
      provider: { 'ai-agent': { npm, options, models: { coder: {} } } },
    };
    return {
      name: `opencode, ${api}`,
      files: { '.config/opencode/opencode.json': JSON.stringify(config) },
      env: { AI_AGENT_KEY: key, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
      command: 'opencode',
      toArgs: (prompt) => ['run', prompt],
    };
  });
}

function claude({ url, key }: ServedTeam): Client {
  const team = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  const tools = ['--allowedTools', 'Bash', 'mcp__team__helper'];
  return {
    name: 'Claude Code, messages',
    files: { 'mcp.json': JSON.stringify({ mcpServers: { team } }) },
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: 'coder',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    command: 'claude',
    toArgs: (prompt) => ['--print', '--mcp-config', '../home/mcp.json', ...tools, '--', prompt],
  };
}
