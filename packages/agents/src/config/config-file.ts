// One configuration file and the variables beside it, read once in a load, however many agents they concern.

import { readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Located } from '../located.ts';
import { parseJson } from '../parse-json.ts';
import type { Problems } from '../problem.ts';
import { ConfigProblems } from './config-problems.ts';
import { configShape } from './config-shape.ts';
import { type EnvFile, parseEnvFile } from './env-file.ts';

export interface ConfigFile {
  /** Where the configuration is, or would be when there are only variables. */
  readonly file: string;
  /** The file with its variables. It may be missing. */
  readonly envFile: string;
  /** What paths in it are relative to. */
  readonly folder: string;
  readonly root: Located;
  readonly variables: ReadonlyMap<string, string>;
  /** True if the file is there, or was named by a flag, and is not JSON. The error is already reported. */
  readonly isBroken: boolean;
  /** True if a line of the env file could not be read. The error is already reported. */
  readonly lacksVariables: boolean;
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
  readonly #documents = new Map<string, Document | undefined>();
  readonly #variables = new Map<string, EnvFile | undefined>();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Undefined when neither is there. */
  read(sought: Sought): ConfigFile | undefined {
    const { file, envFile } = sought;
    this.#problems.sought.add(file).add(envFile);
    const document = once(this.#documents, file, () => this.#readDocument(sought));
    const variables = once(this.#variables, envFile, () => this.#readVariables(envFile));
    if (!document && !variables) return undefined;
    return {
      file,
      envFile,
      folder: dirname(file),
      root: document?.root ?? nothing,
      variables: variables?.variables ?? new Map(),
      isBroken: document?.isBroken ?? false,
      lacksVariables: variables?.isBroken ?? false,
      check: (problems) => document?.check(problems),
    };
  }

  #readDocument({ file, required = false }: Sought): Document | undefined {
    const read = readText(file);
    if ('text' in read) return this.#parseDocument(file, read.text);
    const place = { file };
    if (!required) {
      if (!read.missing) this.#problems.warn('config-invalid', place, `cannot be read (${read.why}), and is left out`);
      return undefined;
    }
    if (read.missing) this.#problems.error('file-missing', place, `there is no configuration ${file}`);
    else this.#problems.error('config-invalid', place, `cannot be read (${read.why})`);
    return new Document(file, nothing, true);
  }

  #parseDocument(file: string, text: string): Document {
    const parsed = parseJson(text);
    if ('root' in parsed) return new Document(file, parsed.root);
    // What comes after the first is mostly its consequence.
    const [{ line, message } = { line: 1, message: 'it is empty' }] = parsed.problems;
    this.#problems.error('config-invalid', { file, line }, `is not JSON: ${message}`);
    return new Document(file, nothing, true);
  }

  #readVariables(file: string): EnvFile | undefined {
    const read = readText(file);
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
  readonly isBroken: boolean;
  readonly #file: string;
  #checked = false;

  constructor(file: string, root: Located, isBroken = false) {
    this.#file = file;
    this.root = root;
    this.isBroken = isBroken;
  }

  check(problems: Problems): void {
    if (this.#checked) return;
    this.#checked = true;
    const place = { file: this.#file, ...(this.root.line === undefined ? {} : { line: this.root.line }) };
    configShape.read({ at: this.root, place, problems: new ConfigProblems(problems) });
  }
}

/** One path may have many names. */
function once<T>(held: Map<string, T>, file: string, read: () => T): T {
  const key = toRealPath(file);
  const known = held.has(key) ? (held.get(key) as T) : read();
  held.set(key, known);
  return known;
}

/** As it is given when it is not there. */
export function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

type ReadText = { readonly text: string } | { readonly missing: boolean; readonly why: string };

function readText(file: string): ReadText {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch (error) {
    const why = String((error as { code?: unknown }).code ?? 'unknown');
    return { missing: why === 'ENOENT' || why === 'ENOTDIR', why };
  }
}
