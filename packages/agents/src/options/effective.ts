// What holds in the end: for each option, the first that says something wins.

import type { Option } from './option.ts';
import type { Said, Value } from './read-options.ts';
import { options } from './table.ts';

/** Highest first: `--override`, flags, the file, flags for those that say nothing, defaults of the configuration. */
export type Sources = readonly Said[];

export class Effective {
  readonly #sources: Sources;
  readonly #defaults: Said | undefined;

  /** `defaults` is the source that has the defaults of the configuration. */
  constructor(sources: Sources, defaults?: Said) {
    this.#sources = sources;
    this.#defaults = defaults;
  }

  /** What somebody said. */
  said(key: string): Value | undefined {
    return this.#sourceOf(key)?.get(key);
  }

  #sourceOf(key: string): Said | undefined {
    return this.#sources.find((source) => source.has(key));
  }

  /** What holds: said, or built in. */
  value(option: Option): unknown {
    const said = this.said(option.key);
    return said ? said.value : option.default;
  }

  /** As the fields of core's Agent; only what was said, so that core's own defaults hold. */
  toFields(): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const { key, field, toField, defaultField = field } of options) {
      const source = this.#sourceOf(key);
      const said = source?.get(key);
      if (!said || !field || !defaultField) continue;
      const [section, name] = source === this.#defaults ? defaultField : field;
      const value = toField ? toField(said.value) : said.value;
      if (value === undefined) continue;
      if (name === undefined) fields[section] = value;
      else fields[section] = { ...(fields[section] as object | undefined), [name]: value };
    }
    return fields;
  }

  /** What every model of the agent is set up with, whatever its configuration says; undefined when nothing was said. */
  toSetUp(): Readonly<Record<string, unknown>> | undefined {
    const said = options.flatMap(({ key, setUp }) => {
      const value = setUp === undefined ? undefined : this.said(key);
      return value ? [[setUp, value.value] as const] : [];
    });
    return said.length === 0 ? undefined : Object.fromEntries(said);
  }
}
