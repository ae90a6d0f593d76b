// The text of a prompt, read and checked when an agent is loaded: after that it is rendered without disk and without surprises.

import { realpathSync } from 'node:fs';
import { AgentError } from '@ai-agent/core';
import type { Problems } from '../problem.ts';
import { findUnknown } from './check-template.ts';
import { type Gathered, gatherSources } from './gather-sources.ts';
import { fillMarked, fillPlain, rewrite } from './older-syntax.ts';
import { MAX_LENGTH, type Source, toSource } from './source.ts';
import { tellMistakes } from './tell-mistakes.ts';
import type { TemplateEngine } from './template-engine.ts';
import { toVariables, type Variables } from './variables.ts';

export interface Prompt {
  /**
   * Throws only `prompt-invalid`, for a template that these values make too much work: `(1..MAX_TURNS)` of a billion.
   */
  render(variables: Variables): string;
  /** Everything it is made of, as it is written: its own text first, then what it includes. */
  readonly texts: readonly string[];
}

export interface PromptSource {
  /** Absolute; includes are relative to its folder. */
  readonly file: string;
  /** Lines ended by LF. */
  readonly text: string;
  /** Where the text begins in its file, from 1. */
  readonly firstLine: number;
}

export interface PreparePromptOptions {
  /** Folders that included files are below. */
  readonly roots: readonly string[];
  readonly problems: Problems;
}

/** Undefined when something is wrong; then problems were told. */
export async function preparePrompt(given: PromptSource, options: PreparePromptOptions): Promise<Prompt | undefined> {
  const { problems } = options;
  const before = problems.errorCount;
  const root = toSource({ ...given, realPath: toRealPath(given.file) });
  const gathered = await gatherSources(root, options);
  const isGood = () => problems.errorCount === before;
  if (gathered.engine) checkTemplates(gathered, isGood, problems);
  if (!isGood()) return undefined;
  const rendering = gathered.engine ? toTemplate(root, gathered.engine) : preparePlain(root, problems);
  return rendering && { ...rendering, texts: gathered.sources.map(({ text }) => text) };
}

type Rendering = Pick<Prompt, 'render'>;

/** A text need not be on the disk. */
function toRealPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function preparePlain(root: Source, problems: Problems): Rendering | undefined {
  const text = join(root, new Map());
  if (text === undefined) {
    problems.error('prompt-invalid', { file: root.file, line: root.firstLine }, TOO_LONG);
    return undefined;
  }
  return { render: (variables) => tidy(fillPlain(text, variables)) };
}

/** Undefined when it gets too long; each source is put together once, however often it is included. */
function join(source: Source, joined: Map<Source, string | undefined>): string | undefined {
  if (joined.has(source)) return joined.get(source);
  const parts = new Map([...source.includes].map(([path, child]) => [path, join(child, joined)]));
  let isTooLong = [...parts.values()].includes(undefined);
  let length = 0;
  const text = rewrite(source.text, {
    between: (piece) => piece,
    span: (span) => {
      const part = (span.kind === 'include' ? parts.get(span.path) : undefined) ?? '';
      length += part.length;
      isTooLong ||= length > MAX_LENGTH;
      return isTooLong ? '' : part;
    },
  });
  const whole = isTooLong ? undefined : text;
  joined.set(source, whole);
  return whole;
}

const TOO_LONG = `found a prompt that gets longer than ${MAX_LENGTH} characters with its includes`;

function checkTemplates({ sources, engine }: Gathered, isGood: () => boolean, problems: Problems): void {
  const [root] = sources;
  if (!engine || !root) return;
  tellMistakes(findUnknown(sources, engine), problems);
  // Only what is good so far is worth a trial.
  if (!isGood()) return;
  for (const sample of samples) if (isGood()) tellMistakes(engine.try(root, sample), problems);
}

/** Different enough to lead into different branches. */
const samples: readonly Variables[] = (['text', 'markdown', 'json'] as const).map((format, index) =>
  toVariables({
    now: Date.UTC(2026, index * 5, 3 + index * 9),
    limits: { maxTurns: 10 ** index, maxToolCallsPerTurn: 10 ** index },
    output: { format },
    host: { os: 'linux', arch: 'x64', kernel: 'Linux 6.1', folder: '/home/user', hostname: 'host', user: 'user' },
  }),
);

function toTemplate(root: Source, engine: TemplateEngine): Rendering {
  return {
    render(variables) {
      const rendered = engine.render(root, variables);
      if (typeof rendered === 'string') return tidy(fillMarked(rendered, variables));
      const words = rendered.map(({ source, line, message }) => `${source.file}:${line}: ${message}`);
      throw new AgentError('prompt-invalid', words.join('\n'));
    },
  };
}

/** At most two blank lines in a row. */
function tidy(text: string): string {
  return text.trim().replace(/\n(?:[ \t]*\n){3,}/g, '\n\n\n');
}
