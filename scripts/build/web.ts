// The page and the widget, as files to be served: bundled by Vite, and compressed here, once, instead of at every request.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { type Bundled, packageOf } from './bundle.ts';

/** Writes them, and says which packages they hold. */
export async function buildWeb(repository: string, folder: string): Promise<Bundled> {
  const held = new Set<string>();
  const root = join(repository, 'packages/web/src');
  // Whatever it was for whoever builds: tests are to try what is published.
  process.env.NODE_ENV = 'production';
  const elementFiles: string[] = [];
  await build({
    ...always,
    root,
    // Below whatever path a proxy puts us.
    base: './',
    plugins: [react(), whatIsHeld(root, held), whatIsNeededBy('element', elementFiles)],
    resolve: { alias: insteadOf(join(root, 'markdown/instead')) },
    // Each part of the page has its own names; those of others are left alone.
    css: { modules: { generateScopedName: '[name]-[local]-[hash:base64:4]' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      // What is small would stand in the style sheet as an address that the page does not allow.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rollupOptions: {
        input: {
          index: join(root, 'index.html'),
          diagram: join(root, 'diagram.html'),
          element: join(root, 'widget/element.tsx'),
        },
        onLog: (level, log, next) => {
          // Packages say for whom they are written; all of it is for a browser here.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
        },
      },
    },
  });
  await buildLoader(join(root, 'widget/loader.ts'), folder, elementFiles);
  await compressAll(folder);
  return held;
}

/** What others bring and our pages cannot have, or need not. */
function insteadOf(folder: string): Readonly<Record<string, string>> {
  return {
    'decode-named-character-reference': join(folder, 'character-references.ts'),
    'tailwind-merge': join(folder, 'class-names.ts'),
    'elkjs/lib/elk.bundled.js': join(folder, 'no-layout.ts'),
  };
}

const always = { configFile: false, logLevel: 'warn' } as const;

/** The one script that others have in their pages: its name is for ever, and it is no module. */
async function buildLoader(entry: string, folder: string, elementFiles: readonly string[]): Promise<void> {
  await build({
    ...always,
    define: { elementFiles: JSON.stringify(elementFiles) },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2023',
      lib: { entry, formats: ['iife'], name: 'aiAgentWidget', fileName: () => 'widget.js' },
    },
  });
}

/** The files of an entry, itself first, that are loaded before it can run. */
function whatIsNeededBy(entry: string, files: string[]): Plugin {
  return {
    name: 'what-is-needed',
    generateBundle(_, bundled) {
      const chunks = Object.values(bundled).filter((file) => file.type === 'chunk');
      const add = (name: string | undefined) => {
        const chunk = chunks.find(({ fileName }) => fileName === name);
        if (!chunk || files.includes(chunk.fileName)) return;
        files.push(chunk.fileName);
        for (const needed of chunk.imports) add(needed);
      };
      add(chunks.find(({ isEntry, name }) => isEntry && name === entry)?.fileName);
    },
  };
}

function whatIsHeld(root: string, held: Set<string>): Plugin {
  return {
    name: 'what-is-held',
    generateBundle(_, files) {
      const modules = Object.values(files).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : file.originalFileNames,
      );
      for (const module of modules) {
        const found = packageOf(resolve(root, module.replace(/^\0|\?.*$/g, '')));
        if (found !== undefined) held.add(found);
      }
    },
  };
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Beside each file its two short forms, and then without it: who takes neither is given the long one again. */
async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.woff2'));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const bytes = await readFile(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await writeFile(`${file}.br`, await toBrotli(bytes, { params }));
      await writeFile(`${file}.gz`, await toGzip(bytes, { level: 9 }));
      await rm(file);
    }),
  );
}
