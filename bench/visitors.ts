// Whoever asks the server that is measured, in a process of their own: so many at a time, and every answer is looked at.

import { Agent, get } from 'node:http';
import { piecesFor } from './serving.ts';

/** What they are asked to do. */
export interface Errand {
  readonly url: string;
  readonly count: number;
  readonly atATime: number;
  readonly isStreamed: boolean;
}

const agent = new Agent({ keepAlive: true });

process.once('disconnect', () => process.exit());
process.on('message', async (errand: Errand) => process.send?.(await visit(errand)));

/** How many answers were right. */
async function visit({ url, count, atATime, isStreamed }: Errand): Promise<number> {
  let started = 0;
  let right = 0;
  const visitOneByOne = async () => {
    while (started < count) {
      const name = `visitor${started++}`;
      const body = await fetchText(`${url}/v1/teller?q=${name}`, isStreamed);
      const expected = piecesFor(name);
      right += Number(isStreamed ? isWholeStream(body, expected) : body === expected.join(''));
    }
  };
  const unwatch = stayAwake();
  await Promise.all(Array.from({ length: atATime }, visitOneByOne));
  unwatch();
  return right;
}

/** Whoever sends pays for waking who sleeps: a slow server would pay more often than a fast one. */
function stayAwake(): () => void {
  let isOver = false;
  const look = () => {
    if (!isOver) setImmediate(look);
  };
  look();
  return () => {
    isOver = true;
  };
}

function fetchText(url: string, isStreamed: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = isStreamed ? { accept: 'text/event-stream' } : {};
    get(url, { agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      response.once('end', () => resolve(body)).once('error', reject);
    }).once('error', reject);
  });
}

function isWholeStream(body: string, expected: readonly string[]): boolean {
  const pieces = [...body.matchAll(/^event: text\ndata: (.+)$/gm)].map(([, data = '']) => JSON.parse(data).text);
  return pieces.length === expected.length && pieces.join('') === expected.join('') && body.includes('event: outcome');
}
