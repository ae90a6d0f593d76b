// The page that the build has made, from its folder: each file in the short forms that were written beside each other.

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site, SiteFile } from '@ai-agent/server';

/** Undefined where nobody has built it. */
export function findWebFiles(): Site | undefined {
  const folder = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((place) => existsSync(place));
  return folder === undefined ? undefined : new WebFiles(folder);
}

/** Beside the sources, beside an entry of the package, or above the folders that hold its pieces. */
const places = import.meta.url.endsWith('.ts') ? ['../../../dist/web'] : ['./web', '../web'];

class WebFiles implements Site {
  readonly #folder: string;
  #files: Promise<ReadonlyMap<string, SiteFile>> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Nothing but what was there when it was first looked for. */
  async read(path: string): Promise<SiteFile | undefined> {
    this.#files ??= this.#find();
    try {
      return (await this.#files).get(path);
    } catch (error) {
      this.#files = undefined;
      throw error;
    }
  }

  async #find(): Promise<ReadonlyMap<string, SiteFile>> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const files = new Map<string, SiteFile>();
    for (const entry of entries) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(this.#folder, file).split(sep).join('/');
      if (!entry.isFile() || path.endsWith('.br')) continue;
      if (path.endsWith('.gz'))
        files.set(path.slice(0, -'.gz'.length), await toShortened(file.slice(0, -'.gz'.length)));
      else files.set(path, await toPlain(file));
    }
    return files;
  }
}

async function toShortened(file: string): Promise<SiteFile> {
  const encodings = {
    br: () => readFile(`${file}.br`),
    gzip: () => readFile(`${file}.gz`),
    // Hardly anybody wants it: what that takes is loaded then.
    identity: async () => process.getBuiltinModule('node:zlib').gunzipSync(await readFile(`${file}.gz`)),
  };
  return { contentType: typeOf(file), etag: tagOf(await encodings.gzip()), encodings };
}

async function toPlain(file: string): Promise<SiteFile> {
  const identity = () => readFile(file);
  return { contentType: typeOf(file), etag: tagOf(await identity()), encodings: { identity } };
}

function tagOf(bytes: Uint8Array): string {
  return `"${process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function typeOf(file: string): string {
  return types[extname(file)] ?? 'application/octet-stream';
}
