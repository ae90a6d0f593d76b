// The types of the package: declarations of our sources, and of the packages they name, as far as the surface needs them.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Bundled } from './bundle.ts';

const run = promisify(execFile);

/** Where a name of a package leads, in the folder that the compiler writes. */
const ours: Readonly<Record<string, string>> = {
  '@ai-agent/core': 'core/src/index.d.ts',
  '@ai-agent/core/testing': 'core/src/testing/index.d.ts',
  '@ai-agent/models': 'models/src/index.d.ts',
  '@ai-agent/models/testing': 'models/src/testing/index.d.ts',
  '@ai-agent/agents': 'agents/src/index.d.ts',
  '@ai-agent/tools': 'tools/src/index.d.ts',
  '@ai-agent/store': 'store/src/index.d.ts',
  '@ai-agent/server/embedding': 'server/src/embedding/index.d.ts',
};

/** Types of others that our surface shows: they come along, so that nothing has to be installed beside us. */
const theirs: Readonly<Record<string, { readonly folder: string; readonly file: string }>> = {
  '@ai-sdk/provider': { folder: 'node_modules/@ai-sdk/provider', file: 'dist/index.d.ts' },
  'json-schema': { folder: 'node_modules/@types/json-schema', file: 'index.d.ts' },
};

/** Writes the types, and says which packages they hold. */
export async function writeDeclarations(repository: string, folder: string): Promise<Bundled> {
  const written = await mkdtemp(join(repository, '.types-'));
  try {
    await compile(repository, written);
    const declarations = new Declarations(repository, written);
    for (const entry of ['index', 'server', 'store', 'testing']) await declarations.add(`cli/src/${entry}.d.ts`);
    await Promise.all([...declarations.files].map(([path, text]) => write(join(folder, path), text)));
    return new Set(Object.values(theirs).map((one) => join(repository, one.folder)));
  } finally {
    await rm(written, { recursive: true, force: true });
  }
}

async function compile(repository: string, folder: string): Promise<void> {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    types: ['node'],
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: '../packages',
    outDir: '.',
  };
  // The page is served as files: it has no surface.
  const sources = { include: ['../packages/*/src'], exclude: ['../packages/web'] };
  const project = { extends: '../tsconfig.base.json', compilerOptions, ...sources };
  await writeFile(config, JSON.stringify(project));
  await run(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', config]);
}

/** Follows what the entries import, and makes every name a path inside the package. */
class Declarations {
  readonly files = new Map<string, string>();
  readonly #repository: string;
  readonly #written: string;

  constructor(repository: string, written: string) {
    this.#repository = repository;
    this.#written = written;
  }

  async add(path: string): Promise<void> {
    if (this.files.has(path)) return;
    // Two files may name each other.
    this.files.set(path, '');
    const text = await readFile(this.#sourceOf(path), 'utf8');
    const named: string[] = [];
    const rewritten = text.replace(
      /(\bfrom\s+|\bimport\s*\(\s*|^import\s+)(['"])([^'"]+)\2/gm,
      (whole, before: string, quote: string, name: string) => {
        const target = toTarget(path, name);
        if (target === undefined) return whole;
        named.push(target);
        return `${before}${quote}${toSpecifier(path, target)}${quote}`;
      },
    );
    this.files.set(path, withoutMap(rewritten));
    for (const target of named) await this.add(target);
  }

  #sourceOf(path: string): string {
    const [place, ...rest] = path.split('/');
    if (place !== 'with') return join(this.#written, path);
    const { folder = '', file = '' } = theirs[fromPath(rest.join('/'))] ?? {};
    return join(this.#repository, folder, file);
  }
}

/** The file that a name means, from the root of the types; nothing for Node's own. */
function toTarget(path: string, name: string): string | undefined {
  if (name.startsWith('.')) return join(dirname(path), name.replace(/\.ts$/, '.d.ts'));
  if (ours[name] !== undefined) return ours[name];
  return theirs[name] === undefined ? undefined : `with/${toPath(name)}`;
}

function toPath(name: string): string {
  return `${name.replace('/', '+')}.d.ts`;
}

function fromPath(path: string): string {
  return path.replace(/\.d\.ts$/, '').replace('+', '/');
}

function toSpecifier(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

function withoutMap(text: string): string {
  return text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
