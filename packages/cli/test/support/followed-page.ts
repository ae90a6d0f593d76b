// A page of the documents, followed from its first block to its last: files are saved, servers started and commands run as it says, in
// a folder like a clone.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { command } from './command.ts';

const repository = join(import.meta.dirname, '../../../..');

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The line above it. */
  readonly before: string;
}

export class FollowedPage {
  /** With the examples, and with what npm installed. */
  readonly folder: string;
  readonly blocks: readonly Block[];
  /** Blocks of commands that end. */
  readonly commands: readonly Block[];
  /** Where servers really listen, by the port that the page says. */
  readonly ports = new Map<string, string>();
  readonly #outputs = new Map<Block, string>();
  readonly #servers: ChildProcess[] = [];

  /** Begins with the name of a file in docs. */
  constructor(name: string) {
    const page = readFileSync(join(repository, 'docs', name), 'utf8').replaceAll('\r\n', '\n');
    this.blocks = [...page.matchAll(/(?<=^(.*)\n\n)^```(\w+)\n([\s\S]*?)^```$/gm)].map(
      ([, before = '', language = '', text = '']) => ({ before, language, text }),
    );
    this.commands = this.blocks.filter((block) => block.language === 'sh' && !isServer(block));
    this.folder = mkdtempSync(join(repository, `.${name.replace('.md', '')}-`));
    for (const part of ['node_modules', 'examples']) symlinkSync(join(repository, part), join(this.folder, part));
  }

  /** One block after the other: some go on with what an earlier one wrote. */
  async follow(): Promise<void> {
    for (const block of this.blocks) {
      const [, name] = /Save this as `([\w./-]+)`/.exec(block.before) ?? [];
      if (isServer(block)) await this.#serve(block.text);
      else if (block.language === 'sh') this.#outputs.set(block, await this.#run(block.text));
      else if (name !== undefined) this.#save(name, block.text);
    }
  }

  /** What the page shows below a command. */
  shownBelow(block: Block): string | undefined {
    const next = this.blocks[this.blocks.indexOf(block) + 1];
    return next && ['text', 'json'].includes(next.language) && !isSaved(next) ? next.text : undefined;
  }

  /** Commands with what is shown below them, for `test.each`. */
  get shown(): readonly (readonly [name: string, block: Block])[] {
    const those = this.commands.filter((block) => this.shownBelow(block) !== undefined);
    return those.map((block) => [block.text.trim(), block] as const);
  }

  /** What a command printed, or the first that has this part. */
  outputOf(which: Block | string): string | undefined {
    const block = typeof which === 'string' ? this.commands.find(({ text }) => text.includes(which)) : which;
    return block && this.#outputs.get(block);
  }

  withPorts(text: string): string {
    return text.replace(/127\.0\.0\.1:(\d+)/g, (_, port: string) => `127.0.0.1:${this.ports.get(port)}`);
  }

  async end(): Promise<void> {
    for (const server of this.#servers) {
      if (server.exitCode !== null || server.signalCode !== null) continue;
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  #save(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), this.withPorts(text));
  }

  /** As the page says, on a port that is free. */
  async #serve(line: string): Promise<void> {
    const [, , ...words] = line.trim().split(' ');
    const port = words.at(-1) ?? '';
    const env = { PATH: process.env.PATH, HOME: this.folder };
    const server = spawn(command, [...words.slice(0, -1), '0'], { cwd: this.folder, env });
    this.#servers.push(server);
    this.ports.set(port, await portOf(server));
  }

  /** What it prints. Programs that the page is about have to be there. */
  async #run(block: string): Promise<string> {
    const options = { cwd: this.folder, timeout: 30_000, env: { PATH: process.env.PATH, HOME: this.folder } };
    return (await promisify(execFile)('sh', ['-ec', this.withPorts(block)], options)).stdout;
  }
}

function isServer({ language, text }: Block): boolean {
  return language === 'sh' && text.startsWith('npx ai-agent serve ');
}

function isSaved({ before }: Block): boolean {
  return before.includes('Save this as');
}

/** It says where it listens. */
function portOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(port);
    };
    server.stdout?.on('data', hear);
    server.stderr?.on('data', hear);
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });
}
