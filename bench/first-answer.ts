// A client that starts a server and says hello over its streams: how long it takes until the answer is there.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
});

export interface Starting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** From the start of its process on. It is ended as clients end it, by the end of its input. */
export async function timeToAnswer(command: string, args: readonly string[], place: Starting): Promise<number> {
  const begun = performance.now();
  const child = spawn(command, args, { ...place, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(`${hello}\n`);
  const answer = await firstLine(child);
  const tookMs = performance.now() - begun;
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0 || !answer.includes('"serverInfo"'))
    throw new TypeError(`${command} ${args.join(' ')} ended with ${code}: ${answer}`);
  return tookMs;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const piece of stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    text += piece;
    if (text.includes('\n')) break;
  }
  return text;
}
