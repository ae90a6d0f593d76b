// Everything the package runs, in a few files: what is imported when it is needed stays in a file of its own.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { builtInsWhenAsked } from './built-ins.ts';

/** A package whose code is inside, by the folder it came from. */
export type Bundled = ReadonlySet<string>;

/** Writes the modules, and says which packages they hold. */
export async function bundle(repository: string, folder: string): Promise<Bundled> {
  const [library, command] = await Promise.all([
    write(repository, ['index', 'testing'], { dir: folder, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' }),
    // The command is CommonJS: it alone can be loaded with the code that V8 kept, all of it.
    write(repository, ['main'], {
      dir: folder,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'command/[name]-[hash].cjs',
      codeSplitting: { groups: together },
    }),
  ]);
  return new Set([...library, ...command]);
}

/** Of the adapters, whatever their type. */
const shared =
  'packages/models/src/providers/(?:call-ids|effort|failed-answer|fillers|left-on-failure|part-stream|refusing-pages|renaming|schemas|withheld-tools)\\.ts$';

/** What every run needs is one file, and what every provider needs another: each file costs a little by itself. */
const together = [
  {
    name: 'start',
    test: new RegExp(
      [
        'packages/(?:core|agents)/src/',
        'packages/models/src/(?!providers/|http/http-|http/node-http|testing/)',
        'packages/cli/src/(?!main)[\\w-]+\\.ts$',
        'packages/cli/src/commands/(?:attachments|load|misuse|prompt-words|run|run-file)\\.ts$',
        'packages/cli/src/render/(?:live|outcome-document|printable)\\.ts$',
      ].join('|'),
    ),
    priority: 2,
  },
  { name: 'providers', test: new RegExp(`node_modules/(?:zod|@ai-sdk/provider-utils)/|${shared}`), priority: 1 },
];

async function write(repository: string, entries: readonly string[], options: OutputOptions): Promise<Bundled> {
  const sources = join(repository, 'packages/cli/src');
  const build = await rolldown({
    cwd: repository,
    input: Object.fromEntries(entries.map((entry) => [entry, join(sources, `${entry}.ts`)])),
    platform: 'node',
    // Some packages offer a main file that no bundler can read, beside a module that all can.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [builtInsWhenAsked, inAscii],
  });
  const { output } = await build.write({
    ...options,
    // Comments and spaces go, names stay: a stack trace is still to be read.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await build.close();
  const files = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return new Set(files.flatMap((file) => packageOf(file) ?? []));
}

/** One letter beyond ASCII doubles what a file takes in memory, and the time to read it. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, toEscape);
  },
};

function toEscape(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The folder of the installed package that a file is of; nothing for a file of ours. */
function packageOf(file: string): string | undefined {
  if (!file.includes('/node_modules/')) return undefined;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (isPackage(folder)) return folder;
  }
  return undefined;
}

/** Packages have small manifests inside that only say how their files are written. */
function isPackage(folder: string): boolean {
  try {
    return 'version' in (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object);
  } catch {
    return false;
  }
}
