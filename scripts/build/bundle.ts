// Everything the package runs, in a few files: what is imported when it is needed stays in a file of its own.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { apart } from './apart.ts';
import { builtInsWhenAsked } from './built-ins.ts';
import { quiet } from './quiet.ts';
import { together } from './together.ts';
import { unused } from './unused.ts';

/** A package whose code is inside, by the folder it came from. */
export type Bundled = ReadonlySet<string>;

/** Writes the modules, and says which packages they hold. */
export async function bundle(repository: string, folder: string): Promise<Bundled> {
  const sourceOf = (name: string) => join(repository, 'packages/cli/src', `${name}.ts`);
  const written = await Promise.all([
    write(
      {
        cwd: repository,
        input: {
          index: sourceOf('index'),
          server: sourceOf('server'),
          store: sourceOf('store'),
          testing: sourceOf('testing'),
        },
      },
      {
        dir: folder,
        format: 'esm',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // By itself, and the first that is imported: what else is there may not load on an old Node.
        codeSplitting: { groups: [{ name: 'oldest-node', test: /oldest-node\.ts$/ }] },
      },
    ),
    // The command is CommonJS: it alone can be loaded with the code that V8 kept, all of it.
    write(
      { cwd: repository, input: { main: sourceOf('main') }, plugins: [apart.plugin] },
      { ...commonJs, dir: folder, chunkFileNames: 'command/[name].cjs', codeSplitting: { groups: together } },
    ),
    write(
      { cwd: join(repository, 'packages/core'), input: apart.input },
      { ...commonJs, dir: join(folder, 'command'), chunkFileNames: 'ajv-[name].cjs' },
    ),
    // A thread is started from a file, by the library and the command alike: `worker-file.ts` looks for it there.
    write(
      { cwd: repository, input: join(repository, 'packages/store/src/sqlite/sqlite-worker.ts') },
      // CommonJS: to start the other way of loading takes a thread a fifth longer.
      { dir: folder, format: 'cjs', entryFileNames: '[name].cjs' },
    ),
  ]);
  return new Set(written.flatMap((packages) => [...packages]));
}

/** With a function around each file, as `bin/kept-code.cjs` loads them. */
const commonJs = {
  format: 'cjs',
  // Comments and spaces go, names stay: a stack trace is still to be read. The library keeps its lines: Node shows the one
  // that threw to whoever did not catch it.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  entryFileNames: '[name].cjs',
  postBanner: '(function (exports, require, module, __filename, __dirname) {',
  postFooter: '})',
} as const;

async function write(input: InputOptions, output: OutputOptions): Promise<Bundled> {
  const build = await rolldown({
    // Whoever imports it outright is loaded late as well.
    checks: { ineffectiveDynamicImport: false },
    ...input,
    platform: 'node',
    // Some packages offer a main file that no bundler can read, beside a module that all can.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [builtInsWhenAsked, inAscii, quiet, unused, input.plugins],
  });
  const written = await build.write(output);
  await build.close();
  const files = written.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
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
export function packageOf(file: string): string | undefined {
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
