// A PostgreSQL of our own on a loopback port, in a temporary folder: it ends with us, however we end.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

export const password = 'not: a/secret@all';

export class PrivatePostgres {
  readonly #programs: string;
  readonly #folder: string;
  readonly port: number;
  #child: ChildProcess | undefined;
  #databases = 0;

  /** Nothing where it is not installed. */
  static async start(): Promise<PrivatePostgres | undefined> {
    const programs = await findPrograms();
    if (programs === undefined) return undefined;
    const folder = await mkdtemp(join(tmpdir(), 'ai-agent-postgres-'));
    if (user) await chown(folder, user.uid, user.gid);
    const secret = join(folder, 'password');
    await writeFile(secret, `${password}\n`);
    if (user) await chown(secret, user.uid, user.gid);
    const how = ['--auth=scram-sha-256', `--pwfile=${secret}`, '--username=postgres', '--encoding=UTF8', '--locale=C'];
    const data = join(folder, 'data');
    const server = new PrivatePostgres(programs, folder, await freePort());
    try {
      await run(join(programs, 'initdb'), ['--no-sync', '--no-instructions', `--pgdata=${data}`, ...how], as(folder));
      await server.start();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
  }

  /** Also after `stop`: on the same port, with the same data. Settles when it takes connections. */
  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: this.#folder,
      // What it has written survives its own end, and need not survive that of the machine.
      fsync: 'off',
      shared_buffers: '32MB',
      max_connections: 60,
    };
    const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const program = [join(this.#programs, 'postgres'), '-D', join(this.#folder, 'data'), ...words];
    const child = spawn('/bin/sh', ['-c', guarded, this.#folder, ...program], {
      stdio: ['pipe', 'ignore', 'ignore'],
      ...as(this.#folder),
    });
    this.#child = child;
    for (let tries = 0; !(await this.#isUp()); tries++) {
      if (tries > 200 || child.exitCode !== null) throw new Error(`PostgreSQL did not start on port ${this.port}.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** At once, as if it had crashed. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.write('stop\n');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A new one. Gives its address. */
  async database(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.query(`CREATE DATABASE ${name}`);
    return this.address(name);
  }

  address(database = 'postgres', user = 'postgres', secret = password): string {
    return `postgres://${user}:${encodeURIComponent(secret)}@127.0.0.1:${this.port}/${database}`;
  }

  async query(statement: string, address = this.address()): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5_000 });
    // It may end while we are connected.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async #isUp(): Promise<boolean> {
    return this.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}

// $0 is the folder. A word on its input ends the server, and so does the end of whoever holds that input: then nobody
// else takes the folder away.
const guarded = `
exec 3<&0
"$@" &
server=$!
( read -r word <&3 || touch "$0/nobody"; kill -QUIT $server ) &
guard=$!
wait $server
kill $guard 2>/dev/null
[ ! -e "$0/nobody" ] || rm -rf "$0"
`;

/** It refuses to run as root: then it is run by the user that its package brings. */
const user = process.getuid?.() === 0 ? findUser() : undefined;

function findUser(): { readonly uid: number; readonly gid: number } | undefined {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return undefined;
  }
}

function as(folder: string): object {
  return { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...user };
}

/** Debian keeps them apart by version and out of the way; others have them where programs are. */
async function findPrograms(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch((): string[] => []);
  const newest = versions.sort((one, other) => Number(other) - Number(one));
  const folders = [...newest.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}
