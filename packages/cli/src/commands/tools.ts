// `ai-agent tools <file>`: the tools that the model of an agent sees, and where they come from.

import { type LoadedAgent, toShort } from '@ai-agent/agents';
import { type JsonSchema, type OpenedTool, oneLine } from '@ai-agent/core';
import { flagValue, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { cut } from '../render/piece.ts';
import { toPrintable } from '../render/printable.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import { toProblem } from './connections.ts';
import { toRequest } from './find-agents.ts';
import { loadAgents, notOneFile, refuse } from './load.ts';
import { misuse } from './misuse.ts';
import { openTools } from './offered-tools.ts';
import { showWaiting } from './show-waiting.ts';
import { partnersInWords, teamByName } from './team.ts';
import { findUnfit, type Note } from './unfit-patterns.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { WatchedTools, wordsFor } from './watched-tools.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const isJson = flagValue(words, '--json') !== undefined;
  const refuseAs = (problem: string) => misuse(terminal, problem, { help: 'ai-agent tools --help', isJson });
  const [file, another] = words.words.map(({ text }) => text);
  if (file === undefined || another !== undefined) return refuseAs('Name the file of one agent.');
  const not = notOneFile(file, terminal.input.cwd);
  if (not !== undefined) return refuseAs(not);
  return untilInterrupted(terminal, async (signal) => {
    const watched = new WatchedTools({ mayFail: true });
    const wanted = flagValue(words, '--tools');
    const flags = wanted === undefined ? [] : [['--tools', wanted] as const];
    const request = { ...toRequest([file], words, { purpose: 'tools' }), flags, watched };
    const { registry, problems, close } = await loadAgents(request);
    try {
      const [loaded, other] = registry.agents;
      if (!loaded || problems.some(({ severity }) => severity === 'error'))
        return refuse(problems, { entries: request.entries, isJson }, terminal);
      if (other) return refuseAs(`${file} holds several agents; name the file of one.`);
      const opening = { signal, isAttended: terminal.openKeyboard !== undefined };
      const all = await showWaiting(watched.inWords, terminal, () => openTools(loaded, opening));
      const tools = all.filter(({ isOffered }) => isOffered);
      const shown: Shown = { loaded, tools, watched, notes: findUnfit(loaded, all, watched) };
      terminal.stdout.write(isJson ? `${toJson(toDocument(shown), terminal.stdout)}\n` : toText(shown, terminal));
      return failedOf(watched).length > 0 ? exitCodes.byClass.tool : exitCodes.ok;
    } finally {
      await close();
    }
  });
}

interface Shown {
  readonly loaded: LoadedAgent;
  readonly tools: readonly OpenedTool[];
  /** Knows whose each tool is, and who could not be asked. */
  readonly watched: WatchedTools;
  readonly notes: readonly Note[];
}

function failedOf({ asked }: WatchedTools) {
  return asked.flatMap(({ failure, ...entry }) => (failure ? [{ ...entry, failure }] : []));
}

function toDocument(shown: Shown) {
  const { loaded, tools, watched, notes } = shown;
  return {
    agent: loaded.name,
    file: loaded.file,
    tools: tools.map((tool) => {
      const { name, label, description, inputSchema, asks } = tool;
      const isReadOnly = watched.ownerOf(name)?.tool.readOnly === true;
      return {
        name,
        label,
        description,
        inputSchema,
        from: originOf(tool, shown),
        ...(isReadOnly ? { isReadOnly } : {}),
        ...(asks === 'approval' ? { needsApproval: true } : {}),
      };
    }),
    ...partnersOf(loaded),
    notes,
    failed: failedOf(watched).map(({ section, name, failure }) => ({ section, name, problem: toProblem(failure) })),
  };
}

/** Its model does not call them: the house does. */
function partnersOf(loaded: LoadedAgent) {
  const { agents: _, ...partners } = teamByName(loaded);
  return partners;
}

const typesOf = { mcpServers: 'server', restTools: 'rest', openapiSpecs: 'openapi' } as const;

/** A sub-agent is known by its file, what comes from outside by its entry; what belongs to nobody is ours. */
function originOf({ name, namespace, label }: OpenedTool, { loaded, watched }: Shown) {
  const owner = watched.ownerOf(name)?.asked;
  if (owner) return { type: typesOf[owner.section], name: owner.name } as const;
  const own = loaded.agent.tools?.findIndex((tool) => 'name' in tool && tool.name === name) ?? -1;
  const child = namespace === 'agent' && own >= 0 ? loaded.team.agents.find((one) => one.name === label) : undefined;
  return child ? ({ type: 'agent', file: child.file } as const) : ({ type: 'built-in' } as const);
}

function toText(shown: Shown, { stdout, input }: Terminal): string {
  const { loaded, tools, watched } = shown;
  const width = stdout.isTTY ? (stdout.columns || 80) - 1 : 120;
  const name = oneLine(loaded.name);
  const head = `${name} has ${tools.length === 0 ? 'no tools' : tools.length === 1 ? '1 tool' : `${tools.length} tools`}.`;
  const parts = tools.map((tool) =>
    describe(tool, shown, input.cwd)
      .map((line) => cut(line, width))
      .join('\n'),
  );
  const failed = failedOf(watched).map(({ section, name: entry, failure }) => {
    const { class: itsClass, message, remedy } = toProblem(failure);
    return `${wordsFor(section, entry)} could not be asked (${itsClass}): ${message}\nWhat to do: ${remedy}`;
  });
  const notes = shown.notes
    .map(({ message }) => oneLine(toPrintable(`Note: ${message}.`.replace('?.', '?'))))
    .join('\n');
  const partners = partnersInWords(loaded).join(', ');
  const beside = partners === '' ? [] : [oneLine(`Its partners, which are no tools: ${partners}.`)];
  return `${[head, ...parts, ...beside, ...failed, ...(notes === '' ? [] : [notes])].join('\n\n')}\n`;
}

function describe(tool: OpenedTool, shown: Shown, cwd: string): readonly string[] {
  const readOnly = shown.watched.ownerOf(tool.name)?.tool.readOnly ? ', read-only' : '';
  const approval = tool.asks === 'approval' ? ', needs approval' : '';
  return [
    tool.name,
    `  ${oneLine(tool.label)}, ${oneLine(fromOf(tool, shown, cwd))}${readOnly}${approval}`,
    ...(tool.description.trim() === '' ? [] : [`  ${oneLine(tool.description)}`]),
    ...argumentsOf(tool.inputSchema),
  ];
}

function fromOf(tool: OpenedTool, shown: Shown, cwd: string): string {
  const owner = shown.watched.ownerOf(tool.name)?.asked;
  if (owner) return wordsFor(owner.section, owner.name);
  const origin = originOf(tool, shown);
  return origin.type === 'agent' ? `sub-agent ${toShort(origin.file, cwd)}` : 'built in';
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

/** What stands elsewhere in the schema is called by its name there. */
function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema?.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(schema?.type)) return schema.type.join(' | ');
  if (typeof schema?.type === 'string') return schema.type;
  return typeof schema?.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : 'anything';
}
