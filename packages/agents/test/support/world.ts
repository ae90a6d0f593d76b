// A world for loading agents in tests: real folders, providers that are only names, nothing of the process.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scriptedModel } from '@ai-agent/core/testing';
import { onTestFinished } from 'vitest';
import { type Problem, type Providers, SubagentRegistry, type ToolSets, type World } from '../../src/index.ts';

/** Two that need a key, one that needs none. */
const keys: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY', 'OPENAI_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  ollama: [],
};

/** A set-up whose type is `broken` is wrong, one whose type is `old` is warned of. Its models answer with their own name. */
export const providers: Providers = {
  wellKnownNames: Object.keys(keys),
  wellKnown(name) {
    const keyVariables = Object.hasOwn(keys, name) ? keys[name] : undefined;
    return keyVariables && { config: { type: name }, keyVariables };
  },
  check(_, { type }) {
    const about = { path: ['type'], message: `found ${JSON.stringify(type)}` };
    if (type === 'broken')
      return [
        { severity: 'error', code: 'key-invalid', ...about },
        { severity: 'warning', code: 'key-unknown', path: ['colour'], message: 'is not known' },
      ];
    return type === 'old' ? [{ severity: 'warning', code: 'key-unknown', ...about }] : [];
  },
  checkPrices: () => [],
  toPrices: () => () => ({ input: 0, output: 0 }),
  filesTakenBy: () => ['image/png'],
  priceOf: async () => undefined,
  open: async ({ provider, model, config }, { env }) =>
    scriptedModel(() => JSON.stringify({ model: `${provider}/${model}`, config, env }), { provider, model }),
};

/** A set-up whose url is `broken` is wrong. Each offers two tools, which say what it was opened with. */
export const toolSets: ToolSets = {
  check: ({ config }) =>
    config.url === 'broken'
      ? [{ severity: 'error', code: 'config-invalid', path: ['url'], message: 'found "broken"' }]
      : [],
  startProblem: () => undefined,
  open: ({ section, name, config, folder, isWanted }) => ({
    list: ({ env }) =>
      [`${name}__look`, `${name}__touch`]
        .filter((one) => isWanted([one]))
        .map((tool) => ({
          name: tool,
          inputSchema: { type: 'object' },
          execute: () => JSON.stringify({ section, config, folder, env }),
        })),
  }),
};

export function toWorld(cwd: string, given: Partial<World> = {}): World {
  return {
    cwd,
    env: { OPENAI_API_KEY: 'k-openai', OPENROUTER_API_KEY: 'k-openrouter' },
    host: { os: 'linux', arch: 'x64', kernel: 'Linux 6', folder: cwd, hostname: 'host', user: 'user' },
    providers,
    toolSets: async () => toolSets,
    importModule: async (path) => ((await import(pathToFileURL(path).href)) as { default?: unknown }).default,
    chooseModel: async () => ({ model: 'offline/demo', why: 'nothing else is there' }),
    ...given,
  };
}

/** Paths below a new folder to what is in them; an object is written as JSON. Gives the folder, gone after the test. */
export function writeFiles(files: Readonly<Record<string, unknown>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agents-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content, null, 2),
    );
  }
  return folder;
}

/** Loads what was just written. Problems name files as somebody in that folder would. */
export async function loadFiles(
  files: Readonly<Record<string, unknown>>,
  entries: readonly string[],
  given: Partial<World> = {},
) {
  const folder = writeFiles(files);
  const registry = await SubagentRegistry.load(entries, toWorld(folder, given));
  return { folder, registry, agents: registry.agents, problems: inside(folder, registry.problems) };
}

export function inside(folder: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map((one) => ({
    ...one,
    file: one.file.replace(`${folder}/`, ''),
    message: one.message.replaceAll(`${folder}/`, ''),
  }));
}

/** A file of an agent with these lines of frontmatter. */
export function agentFile(frontmatter = '', body = 'You are helpful.'): string {
  return `---\nmodels: openai/gpt-5\n${frontmatter === '' ? '' : `${frontmatter}\n`}---\n${body}\n`;
}

/** The same as a sub-agent may be. */
export function childFile(frontmatter = ''): string {
  return agentFile(`description: Helps.${frontmatter === '' ? '' : `\n${frontmatter}`}`);
}
