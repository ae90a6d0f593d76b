// One configuration file and the variables beside it, read once in a load, however many agents they concern.

import { readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Located } from '../located.ts';
import { parseJson } from '../parse-json.ts';
import type { Problems } from '../problem.ts';
import { ConfigProblems } from './config-problems.ts';
import { configShape } from './config-shape.ts';
import { parseEnvFile } from './env-file.ts';

export interface ConfigFile {
  /** Where the configuration is, or would be when there are only variables. */
  readonly file: string;
  /** What paths in it are relative to. */
  readonly folder: string;
  readonly root: Located;
  readonly variables: ReadonlyMap<string, string>;
  /** Tells what is wrong with its keys, the first time in a load. */
  check(problems: Problems): void;
}

export interface Sought {
  readonly file: string;
  readonly envFile: string;
  /** Somebody named it, so it must be there. @default false */
  readonly required?: boolean;
}

/** The files of one load. What cannot be read is told when it is read. */
export class ConfigFiles {
  readonly #problems: Problems;
  readonly #documents = new Map<string, Promise<Document | undefined>>();
  readonly #variables = new Map<string, Promise<ReadonlyMap<string, string> | undefined>>();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Undefined when neither is there. */
  async read(sought: Sought): Promise<ConfigFile | undefined> {
    const { file, envFile } = sought;
    // One after the other, so that problems are told in the same order every time.
    const document = await once(this.#documents, file, () => this.#readDocument(sought));
    const variables = await once(this.#variables, envFile, () => this.#readVariables(envFile));
    if (!document && !variables) return undefined;
    return {
      file,
      folder: dirname(file),
      root: document?.root ?? nothing,
      variables: variables ?? new Map(),
      check: (problems) => document?.check(problems),
    };
  }

  async #readDocument({ file, required = false }: Sought): Promise<Document | undefined> {
    const read = await readText(file);
    if ('text' in read) return this.#parseDocument(file, read.text);
    const place = { file };
    if (required && read.missing) this.#problems.error('file-missing', place, `there is no configuration ${file}`);
    else if (required) this.#problems.error('config-invalid', place, `cannot be read (${read.why})`);
    else if (!read.missing)
      this.#problems.warn('config-invalid', place, `cannot be read (${read.why}), and is left out`);
    return undefined;
  }

  #parseDocument(file: string, text: string): Document {
    const parsed = parseJson(text);
    if ('root' in parsed) return new Document(file, parsed.root);
    // What comes after the first is mostly its consequence.
    const [{ line, message } = { line: 1, message: 'it is empty' }] = parsed.problems;
    this.#problems.error('config-invalid', { file, line }, `is not JSON: ${message}`);
    return new Document(file, nothing);
  }

  async #readVariables(file: string): Promise<ReadonlyMap<string, string> | undefined> {
    const read = await readText(file);
    if ('text' in read) return parseEnvFile(read.text, file, this.#problems);
    // A system's secrets are often closed to its users, who then have their own.
    if (!read.missing)
      this.#problems.warn('env-file-invalid', { file }, `cannot be read (${read.why}), and is left out`);
    return undefined;
  }
}

const nothing: Located = { value: {}, fields: new Map() };

class Document {
  readonly root: Located;
  readonly #file: string;
  #checked = false;

  constructor(file: string, root: Located) {
    this.#file = file;
    this.root = root;
  }

  check(problems: Problems): void {
    if (this.#checked) return;
    this.#checked = true;
    const place = { file: this.#file, ...(this.root.line === undefined ? {} : { line: this.root.line }) };
    configShape.read({ at: this.root, place, problems: new ConfigProblems(problems) });
  }
}

/** One path may have many names. */
async function once<T>(held: Map<string, Promise<T>>, file: string, read: () => Promise<T>): Promise<T> {
  const key = await toRealPath(file);
  const reading = held.get(key) ?? read();
  held.set(key, reading);
  return reading;
}

/** As it is given when it is not there. */
export async function toRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

type ReadText = { readonly text: string } | { readonly missing: boolean; readonly why: string };

async function readText(file: string): Promise<ReadText> {
  try {
    return { text: await readFile(file, 'utf8') };
  } catch (error) {
    const why = String((error as { code?: unknown }).code ?? 'unknown');
    return { missing: why === 'ENOENT' || why === 'ENOTDIR', why };
  }
}
