// Reads one stream of events over a socket of its own, event by event, as a program would.

import { type IncomingMessage, request } from 'node:http';

export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

export interface ReadStream {
  readonly status: number;
  readonly events: readonly StreamEvent[];
}

/** What is done with each event as it comes. `leave` closes the connection: the reading fails then. */
export type Listener = (event: StreamEvent, leave: () => void) => void;

/** Settles when the stream has ended, whole. */
export function readStream(url: string, onEvent: Listener = () => {}): Promise<ReadStream> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream' };
    const asked = request(url, { agent: false, headers }, (response) => {
      readAll(response, (event) => onEvent(event, () => asked.destroy())).then(resolve, reject);
    });
    asked.once('error', reject);
    asked.end();
  });
}

async function readAll(response: IncomingMessage, onEvent: (event: StreamEvent) => void): Promise<ReadStream> {
  const events: StreamEvent[] = [];
  let unread = '';
  response.setEncoding('utf8');
  for await (const piece of response as AsyncIterable<string>) {
    const blocks = (unread + piece).split('\n\n');
    unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (!event) continue;
      events.push(event);
      onEvent(event);
    }
  }
  return { status: response.statusCode ?? 0, events };
}

/** Nothing for a comment. */
function parseEvent(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const [event, data] = [fields.get('event'), fields.get('data')];
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) };
}
