// The plugins of an agent: the modules that its file names are imported, and each is made into one of core's.

import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Agent,
  checkSchema,
  isAgentError,
  isObject,
  type JsonObject,
  messageOf,
  type Outcome,
  type PluginRunOptions,
  type ReportCompletion,
  type ReportPlugin,
} from '@ai-agent/core';
import type { PluginFile } from './plugin-files.ts';
import type { Problems } from './problem.ts';
import type { Draft } from './read-draft.ts';
import type { World } from './world.ts';

export interface PluginContext {
  readonly world: World;
  readonly problems: Problems;
  /** Loads another agent for a run that a plugin starts. Throws what is wrong with its file. */
  readonly loadFile: (file: string) => Promise<{ readonly agent: Agent; readonly session: PluginRunOptions }>;
}

/** What cannot be used is told, with the key that names it. Importing runs the code of the owner. */
export async function loadPlugins(draft: Draft, context: PluginContext): Promise<readonly ReportPlugin[]> {
  const { world, problems } = context;
  const { place = { file: draft.file } } = draft.effective.said('plugins') ?? {};
  const owners = new Map<string, string>();
  const loaded: ReportPlugin[] = [];
  if (world.mayImport === false || world.purpose === 'help' || world.purpose === 'tools') return loaded;
  for (const file of draft.pluginFiles) {
    const read = await inTime(readPlugin(file, world));
    if ('problem' in read) {
      const where = read.line === undefined ? file.name : `${file.name}:${read.line}`;
      problems.error(read.code ?? 'plugin-invalid', place, `${where}: ${read.problem}`);
      continue;
    }
    const other = owners.get(read.name);
    owners.set(read.name, file.name);
    if (other !== undefined)
      problems.error('plugin-invalid', place, `${other} and ${file.name} both give a plugin called ${read.name}`);
    else loaded.push(toReportPlugin(read, dirname(draft.file), context));
  }
  return loaded;
}

/** A plugin as its module gives it. */
interface GivenPlugin {
  readonly name: string;
  readonly requirements: ReportPlugin['requirements'];
  readonly onComplete: (completion: unknown) => unknown;
}

interface Wrong {
  readonly problem: string;
  readonly code?: 'schema-invalid';
  /** In the module itself. */
  readonly line?: number;
}

/** The timer also keeps the process: without it, one that waits for nothing would end it, with no word and as a success. */
async function inTime(reading: Promise<GivenPlugin | Wrong>): Promise<GivenPlugin | Wrong> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Wrong>((resolve) => {
    timer = setTimeout(() => resolve({ problem: `was not ready within ${startMs / 1_000} seconds` }), startMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

const startMs = 10_000;

async function readPlugin({ path }: PluginFile, world: World): Promise<GivenPlugin | Wrong> {
  let step = 'cannot be imported';
  try {
    const exported = await world.importModule(path);
    if (exported === undefined || exported === null)
      return { problem: 'has no default export; export a function that gives the plugin, or the plugin itself' };
    if (isClass(exported))
      return { problem: 'exports a class; export a function that gives the plugin, or the plugin itself' };
    step = 'its default export, called, failed';
    const plugin: unknown = typeof exported === 'function' ? await exported() : exported;
    if (!isObject(plugin)) return { problem: 'gives no plugin: an object with name, getRequirements and onComplete' };
    const { name, getRequirements, onComplete } = plugin;
    if (typeof name !== 'string' || !/^[\w.-]{1,128}$/.test(name))
      return { problem: 'its name must be 1 to 128 letters, digits, dots, dashes or underscores' };
    if (typeof getRequirements !== 'function') return { problem: 'has no function getRequirements' };
    if (typeof onComplete !== 'function') return { problem: 'has no function onComplete' };
    step = 'getRequirements failed';
    const requirements = readRequirements(await getRequirements.call(plugin));
    if ('problem' in requirements) return requirements;
    return { name, requirements, onComplete: (completion) => onComplete.call(plugin, completion) };
  } catch (error) {
    return { problem: `${step}: ${messageOf(error)}`, ...lineIn(error, path) };
  }
}

function isClass(exported: unknown): boolean {
  return typeof exported === 'function' && /^class\b/.test(Function.prototype.toString.call(exported));
}

/** Of the innermost place in this file; Node has it in the stack, before the message where the text cannot be read. */
function lineIn(error: unknown, path: string): Pick<Wrong, 'line'> {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = [path, pathToFileURL(path).href].map((place) => stack.split(`${place}:`)[1]).find((rest) => rest);
  const line = Number.parseInt(at ?? '', 10);
  return Number.isNaN(line) ? {} : { line };
}

const texts = ['systemPromptInstructions', 'xmlNextSnippet', 'finalReportExampleSnippet'] as const;

function readRequirements(given: unknown): ReportPlugin['requirements'] | Wrong {
  if (!isObject(given)) return { problem: 'getRequirements gives no object' };
  const { schema, systemPromptInstructions: instructions, xmlNextSnippet, finalReportExampleSnippet } = given;
  const odd = texts.find((key) => given[key] !== undefined && typeof given[key] !== 'string');
  if (odd !== undefined) return { problem: `${odd} of its requirements must be text` };
  if (typeof instructions !== 'string') return { problem: 'systemPromptInstructions of its requirements is missing' };
  if (!isObject(schema)) return { problem: 'schema of its requirements must be a JSON Schema, which is an object' };
  try {
    checkSchema(schema, 'schema of its requirements');
  } catch (error) {
    if (isAgentError(error)) return { problem: error.message, code: 'schema-invalid' };
    throw error;
  }
  return {
    schema,
    instructions,
    ...(typeof xmlNextSnippet === 'string' ? { reminder: xmlNextSnippet } : {}),
    ...(typeof finalReportExampleSnippet === 'string' ? { example: finalReportExampleSnippet } : {}),
  };
}

/** A plugin of a file may also name the file of the agent that it wants to run. */
function toReportPlugin(given: GivenPlugin, folder: string, { loadFile }: PluginContext): ReportPlugin {
  const { name, requirements, onComplete } = given;
  const createSession =
    (start: ReportCompletion['createSession']) =>
    async (agent: Agent | string, prompt: string | JsonObject, options: PluginRunOptions = {}): Promise<Outcome> => {
      if (typeof agent !== 'string') return start(agent, prompt, options);
      const loaded = await loadFile(resolve(folder, agent));
      return start(loaded.agent, prompt, { ...loaded.session, ...options });
    };
  return {
    name,
    requirements,
    async onComplete(completion) {
      await onComplete({ ...completion, createSession: createSession(completion.createSession) });
    },
  };
}
