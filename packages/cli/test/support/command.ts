// The real command in folders of its own: nothing of this machine reaches it but a PATH and an empty home.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export const command = join(import.meta.dirname, '../../../../node_modules/.bin/ai-agent');

/** Finds the Node of this process, and what a shell needs. */
export const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/** Half of the time of a start is reading our sources: they are kept read. */
const cache = { NODE_COMPILE_CACHE: join(tmpdir(), 'ai-agent-test-cache') };

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  /** Where it is started; its home is an empty folder inside. */
  readonly cwd: string;
  /** Beside PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in. @default nothing, at once at its end */
  readonly input?: string;
  /** Another program than the command. */
  readonly program?: string;
  /** Another user than this one: root may do that. */
  readonly uid?: number;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** When what was made is undone. */
export type Later = (undo: () => void | Promise<void>) => void;

/** Paths below a new folder to what is in them; an object is written as JSON. Gives the folder; gone with the test. */
export async function folderWith(
  files: Readonly<Record<string, string | object>>,
  later: Later = onTestFinished,
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'command-')));
  later(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'home'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

export function start(args: readonly string[], options: Start): Started {
  const { cwd, env = {}, input = '', program = command, uid } = options;
  const child = spawn(program, args, {
    cwd,
    env: { PATH: path, HOME: join(cwd, 'home'), ...cache, ...env },
    ...(uid === undefined ? {} : { uid }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {}).end(input);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
  return { child, ended };
}

export function run(args: readonly string[], options: Start): Promise<Ended> {
  return start(args, options).ended;
}

/** An agent file of these lines of frontmatter. A server takes no agent without a description: one is added where there is none. */
export function agentFile(frontmatter: readonly string[], body = 'You answer.'): string {
  const isDescribed = frontmatter.some((line) => line.startsWith('description:'));
  const lines = isDescribed ? frontmatter : [...frontmatter, 'description: Answers.'];
  return `---\n${lines.join('\n')}\n---\n${body}\n`;
}

/** A configuration with one provider, `local`, behind this address. */
export function localProvider(baseUrl: string, more: object = {}): object {
  return { providers: { local: { type: 'openai-compatible', baseUrl, ...more } } };
}
