// A provider that answers everything with a word, and remembers what it was asked.

import type { IncomingHttpHeaders } from 'node:http';
import { serve } from './raw-server.ts';

export const completion = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
});

export interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function answering(): Promise<{ readonly baseUrl: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const { baseUrl } = await serve(({ url = '', headers }, response, body) => {
    asked.push({ url, headers, body: JSON.parse(body) });
    if (asked.at(-1)?.body.stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed);
    else response.end(completion);
  });
  return { baseUrl, asked };
}

const streamed = `data: ${completion.replace('"message"', '"delta"')}\n\ndata: [DONE]\n\n`;
