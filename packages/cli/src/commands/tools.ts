// `ai-agent tools <file>`: the tools that the model of an agent sees, and where they come from.

import { type LoadedAgent, toShort } from '@ai-agent/agents';
import { type JsonSchema, type OpenedTool, oneLine } from '@ai-agent/core';
import { flagValue, type Words } from '../arguments.ts';
import { toJson } from '../render/outcome-document.ts';
import { cut } from '../render/piece.ts';
import type { Terminal } from '../terminal.ts';
import { toRequest } from './find-agents.ts';
import { loadAgents, notOneFile, refuse } from './load.ts';
import { misuse } from './misuse.ts';
import { offeredTools } from './offered-tools.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const isJson = flagValue(words, '--json') !== undefined;
  const refuseAs = (problem: string) => misuse(terminal, problem, { help: 'ai-agent tools --help', isJson });
  const [file, another] = words.words.map(({ text }) => text);
  if (file === undefined || another !== undefined) return refuseAs('Name the file of one agent.');
  const not = notOneFile(file, terminal.input.cwd);
  if (not !== undefined) return refuseAs(not);
  const request = toRequest([file], words, { purpose: 'help' });
  const { registry, problems } = await loadAgents(request);
  const [loaded, other] = registry.agents;
  if (!loaded || problems.some(({ severity }) => severity === 'error'))
    return refuse(problems, { entries: request.entries, isJson }, terminal);
  if (other) return refuseAs(`${file} holds several agents; name the file of one.`);
  const tools = await offeredTools(loaded);
  const shown: Shown = { loaded, tools, later: serversOf(loaded) };
  terminal.stdout.write(isJson ? `${toJson(toDocument(shown), terminal.stdout)}\n` : toText(shown, terminal));
  return 0;
}

interface Shown {
  readonly loaded: LoadedAgent;
  readonly tools: readonly OpenedTool[];
  /** What the agent names and this version cannot bring. */
  readonly later: readonly string[];
}

function serversOf({ effective }: LoadedAgent): readonly string[] {
  return (effective.said('tools')?.value as readonly string[] | undefined) ?? [];
}

function toDocument({ loaded, tools, later }: Shown) {
  return {
    agent: loaded.name,
    file: loaded.file,
    tools: tools.map((tool) => {
      const { name, label, description, inputSchema } = tool;
      return { name, label, description, inputSchema, from: originOf(tool, loaded) };
    }),
    notBuiltYet: later,
  };
}

/** A sub-agent is known by its file; what belongs to nobody is ours. */
function originOf({ name, namespace, label }: OpenedTool, { agent, children }: LoadedAgent) {
  const own = agent.tools?.findIndex((tool) => 'name' in tool && tool.name === name) ?? -1;
  const child = namespace === 'agent' && own >= 0 ? children.find((one) => one.name === label) : undefined;
  if (child) return { type: 'agent', file: child.file } as const;
  return namespace === '' ? ({ type: 'built-in' } as const) : ({ type: 'server', name: namespace } as const);
}

function toText(shown: Shown, { stdout, input }: Terminal): string {
  const { loaded, tools, later } = shown;
  const width = stdout.isTTY ? (stdout.columns || 80) - 1 : 120;
  const name = oneLine(loaded.name);
  const head = `${name} has ${tools.length === 0 ? 'no tools' : tools.length === 1 ? '1 tool' : `${tools.length} tools`}.`;
  const parts = tools.map((tool) =>
    describe(tool, loaded, input.cwd)
      .map((line) => cut(line, width))
      .join('\n'),
  );
  const notBuilt =
    later.length === 0 ? [] : [`Not built yet, and left out: ${later.map(oneLine).join(', ')} (tools of servers).`];
  return `${[head, ...parts, ...notBuilt].join('\n\n')}\n`;
}

function describe(tool: OpenedTool, loaded: LoadedAgent, cwd: string): readonly string[] {
  const origin = originOf(tool, loaded);
  const from =
    origin.type === 'agent'
      ? `sub-agent ${toShort(origin.file, cwd)}`
      : origin.type === 'server'
        ? `server ${origin.name}`
        : 'built in';
  return [
    tool.name,
    `  ${oneLine(tool.label)}, ${oneLine(from)}`,
    `  ${oneLine(tool.description)}`,
    ...argumentsOf(tool.inputSchema),
  ];
}

const most = 12;

/** The first of them, a line for each; what is inside them is for the document. */
function argumentsOf({ properties, required }: JsonSchema): readonly string[] {
  const known = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  const needed = Array.isArray(required) ? required : [];
  const lines = known.slice(0, most).map(([name, schema]) => {
    const about = typeof schema?.description === 'string' ? `  ${schema.description}` : '';
    return `    ${oneLine(`${name}: ${typeOf(schema)}${needed.includes(name) ? ', required' : ''}${about}`)}`;
  });
  return known.length > most ? [...lines, `    and ${known.length - most} more; --json has them all`] : lines;
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema?.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(schema?.type)) return schema.type.join(' | ');
  return typeof schema?.type === 'string' ? schema.type : 'anything';
}
