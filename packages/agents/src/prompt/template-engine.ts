// Liquid as prompts use it: strict, bounded, and without a way to the disk.

import { AgentError } from '@ai-agent/core';
import type { Liquid, LiquidOptions, Template } from 'liquidjs';
import { MAX_LENGTH, type Source } from './source.ts';
import { type Mistake, toMistakes } from './template-mistake.ts';
import type { Variables } from './variables.ts';

export class TemplateEngine {
  readonly #liquid: Liquid;
  /** Knows every filter, so that the rest of a file with an unknown one can be looked at too. */
  readonly #tolerant: Liquid;
  readonly #sources: ReadonlyMap<string, Source>;

  private constructor(sources: ReadonlyMap<string, Source>, build: (strictFilters: boolean) => Liquid) {
    this.#sources = sources;
    this.#liquid = build(true);
    this.#tolerant = build(false);
  }

  /** Loads Liquid only now. `sources` are found by their `file`. */
  static async open(sources: ReadonlyMap<string, Source>): Promise<TemplateEngine> {
    const { Liquid } = await import('liquidjs');
    return new TemplateEngine(sources, (strictFilters) => {
      const liquid = new Liquid({ ...options, strictFilters });
      liquid.registerFilter('json_pretty', (value: unknown) => JSON.stringify(value, null, 2));
      // They would make a file a frame around another; a prompt is read from top to bottom.
      for (const tag of ['layout', 'block']) delete liquid.tags[tag];
      liquid._parsePartialFile = (path, _, from) => given(templatesOf(sources.get(from ?? '')?.includes.get(path)));
      return liquid;
    });
  }

  /** Gives the source its templates. */
  parse(source: Source): Mistake[] {
    if (isTooMuch(source))
      return [{ source, line: source.firstLine, message: 'found more tags than can be looked at' }];
    try {
      source.templates = this.#liquid.parse(source.template, source.file);
      return [];
    } catch (error) {
      const mistakes = this.#tell(error, source);
      try {
        source.templates = this.#tolerant.parse(source.template, source.file);
      } catch {
        // Then nothing more can be said of it.
      }
      return mistakes;
    }
  }

  /** Variables that are used and not made in the file itself, with their lines in the text. */
  globalsOf({ templates = [] }: Source): Use[] {
    const { globals } = this.#liquid.analyzeSync(templates, { partials: false });
    return Object.entries(globals).flatMap(([name, uses]) =>
      uses.map(({ segments, location }) => ({ name, parts: segments.slice(1), row: location.row })),
    );
  }

  /** Everything is told: nothing may be without a value. */
  try(source: Source, variables: Variables): Mistake[] {
    try {
      this.#render(source, variables, { strictVariables: true, renderLimit: TRIAL_MS });
      return [];
    } catch (error) {
      return this.#tell(error, source);
    }
  }

  /** What has no value is empty: another branch than in the trial must not end a session. */
  render(source: Source, variables: Variables): string | Mistake[] {
    try {
      return this.#render(source, variables, { strictVariables: false, renderLimit: RENDER_MS });
    } catch (error) {
      return this.#tell(error, source);
    }
  }

  #render(source: Source, variables: Variables, limits: { strictVariables: boolean; renderLimit: number }): string {
    // As globals, because what is rendered by `{% render %}` sees nothing else.
    const rendered = String(this.#liquid.renderSync(templatesOf(source), {}, { ...limits, globals: variables }));
    if (rendered.length > MAX_LENGTH) throw new AgentError('prompt-invalid', `more than ${MAX_LENGTH} characters`);
    return rendered;
  }

  #tell(error: unknown, at: Source): Mistake[] {
    return toMistakes(error, { liquid: this.#liquid, sources: this.#sources.values(), at });
  }
}

export interface Use {
  readonly name: string;
  readonly parts: readonly unknown[];
  readonly row: number;
}

const TRIAL_MS = 2000;
/** More, so that a busy moment does not refuse what was good when it was loaded. */
const RENDER_MS = 10_000;

const options: LiquidOptions = {
  strictVariables: true,
  ownPropertyOnly: true,
  catchAllErrors: true,
  parseLimit: 16_000_000,
  memoryLimit: 10_000_000,
  renderLimit: TRIAL_MS,
  // Dates are the same on every machine.
  timezoneOffset: 0,
  locale: 'en-US',
};

/** Liquid counts lines from the top for each tag it is asked about. */
function isTooMuch({ template }: Source): boolean {
  const tags = template.match(/\{[{%]/g)?.length ?? 0;
  return tags * template.length > 400_000_000;
}

function templatesOf(source: Source | undefined): Template[] {
  return source?.templates ?? [];
}

/** Liquid waits for generators. */
// biome-ignore lint/correctness/useYield: there is nothing to wait for
function* given(templates: Template[]): Generator<never, Template[]> {
  return templates;
}
