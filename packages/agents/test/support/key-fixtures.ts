// The hand-written agent files of fixtures/keys, each with what it comes to beside it, written by hand as well.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface KeyFixture {
  /** Relative to `folder`. */
  readonly file: string;
  readonly folder: string;
  readonly about: string;
  /** What the file says, by the key of the option. */
  readonly said: Readonly<Record<string, unknown>>;
  /** Core's agent without instructions, model, tools and partners; nothing else may be in it. */
  readonly agent: Readonly<Record<string, unknown>>;
  /** `provider + model`, or the name. @default openai + gpt-5 */
  readonly models?: readonly string[];
  /** Names of sub-agents as tools. @default [] */
  readonly tools?: readonly string[];
  /** Names of plugins. @default [] */
  readonly plugins?: readonly string[];
  /** Names of its partners, by field. @default {} */
  readonly partners?: Readonly<Record<string, readonly string[]>>;
  /** How many servers and the like are bound. @default 0 */
  readonly sources?: number;
  readonly prompt?: string;
  /** Codes beside those of `check` that every such file has. @default [] */
  readonly warnings?: readonly string[];
}

export const keysFolder = join(import.meta.dirname, '../fixtures/keys');

export const keyFixtures: readonly KeyFixture[] = globSync('**/*.expected.json', { cwd: keysFolder })
  .sort()
  .map((path) => {
    const [file = ''] = globSync(path.replace('.expected.json', '.{ai,md}'), { cwd: keysFolder });
    return {
      file,
      folder: join(keysFolder, dirname(file)),
      ...JSON.parse(readFileSync(join(keysFolder, path), 'utf8')),
    };
  });

/** How a test names one. */
export const namedFixtures = keyFixtures.map((fixture) => [fixture.file, fixture] as const);
