// What a parsed template says before it is rendered: what it includes, what it names, and what nobody gives it.

import type { Template } from 'liquidjs';
import type { Source } from './source.ts';
import type { TemplateEngine, Use } from './template-engine.ts';
import { type Mistake, unknownVariable } from './template-mistake.ts';
import { isVariable, promptVariables } from './variables.ts';

/** In every branch, taken or not. A name that any of the sources makes is taken for known in all of them. */
export function findUnknown(sources: readonly Source[], engine: TemplateEngine): Mistake[] {
  const made = new Set([...ofLoops, ...sources.flatMap(({ templates = [] }) => [...walk(templates)].flatMap(namesOf))]);
  return sources.flatMap((source) =>
    engine
      .globalsOf(source)
      .filter(({ name }) => !made.has(name))
      .flatMap((use) => {
        const message = complaintOf(use);
        return message === undefined ? [] : [{ source, line: source.firstLine - 1 + use.row, message }];
      }),
  );
}

/** Made by `{% for %}`, `{% render … for %}` and `{% tablerow %}`; `continue` is a place, as in `offset: continue`. */
const ofLoops = ['forloop', 'tablerowloop', 'continue'];

function namesOf(template: Template): string[] {
  const given = [...(template.partialScope?.()?.scope ?? [])];
  return [
    ...[...(template.localScope?.() ?? [])].map(({ content }) => content),
    ...(template.blockScope?.() ?? []),
    ...given.map((name) => (typeof name === 'string' ? name : name[0])),
  ];
}

function complaintOf({ name, parts }: Use): string | undefined {
  if (!isVariable(name)) return unknownVariable(name, known);
  if (parts.length === 0 || (parts.length === 1 && parts[0] === 'size')) return undefined;
  return `found ${[name, ...parts].join('.')}; ${name} is a plain value and has no parts`;
}

const known = promptVariables.map(({ name }) => name);

export interface TemplateInclude {
  /** Undefined for what is no path in quotes. */
  readonly path: string | undefined;
  /** Where its tag is in the text. */
  readonly begin: number;
}

export function includesOf(templates: readonly Template[]): TemplateInclude[] {
  return [...walk(templates)].flatMap((template) =>
    template.partialScope ? [{ path: template.partialScope()?.name, begin: template.token.begin }] : [],
  );
}

/** Itself, then what is inside of it; never another file. */
function* walk(templates: readonly Template[]): Generator<Template> {
  for (const template of templates) {
    yield template;
    yield* walk(childrenOf(template));
  }
}

/** A generator that returns at once, as nothing has to be loaded for it. */
function childrenOf(template: Template): Template[] {
  const step = template.children?.(false, true).next();
  return step?.done ? step.value : [];
}
