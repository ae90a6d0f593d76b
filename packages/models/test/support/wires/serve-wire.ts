// A provider on the loopback interface that speaks one wire, and a model of it, opened as a configuration would open it.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock, Model } from '@ai-agent/core';
import { createModels, type ProviderConfig, type Transport } from '@ai-agent/models';
import { onTestFinished } from 'vitest';
import { serve } from '../raw-server.ts';
import type { Wire, WireReply, WireRequest } from './wire.ts';

export interface Served {
  readonly model: Model;
  /** Every request so far, oldest first. */
  readonly requests: readonly ServedRequest[];
}

export interface ServedRequest extends WireRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the server does with a request: a reply of its wire, or whatever the test writes itself. */
export type Answer = WireReply | ((response: ServerResponse, request: ServedRequest) => void);

export interface ServeOptions {
  readonly apiKey?: string;
  /** @default the wire's */
  readonly model?: string;
  /** Beside what the wire says. */
  readonly config?: Partial<ProviderConfig>;
  /** What the provider is called. @default 'mine' */
  readonly name?: string;
  /** Where it is said to be, from the origin of the server. @default the path of the wire below it */
  readonly addressAt?: (origin: string) => string;
  /** @default one of its own */
  readonly transport?: Transport;
  /** For waiting on the way to the provider. @default the machine's */
  readonly clock?: Clock;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The last answer is given again and again. Closed when the test ends. */
export async function serveWire(wire: Wire, answers: readonly Answer[], options: ServeOptions = {}): Promise<Served> {
  const { apiKey = 'test-key-0123456789', name = 'mine', model = wire.model, transport, clock, now } = options;
  const { addressAt = (origin: string) => origin + wire.basePath } = options;
  const requests: ServedRequest[] = [];
  const { baseUrl } = await serve(({ url = '', headers }, response, body) => {
    const request = { ...wire.read(body, url), path: url, headers, body: JSON.parse(body) };
    requests.push(request);
    const answer = answers[requests.length - 1] ?? answers.at(-1);
    if (typeof answer === 'function') answer(response, request);
    else if (answer) send(response, wire, { reply: answer, isStreamed: request.isStreamed });
    else response.writeHead(500).end();
  });
  const config = { ...wire.config, ...options.config, apiKey, baseUrl: addressAt(new URL(baseUrl).origin) };
  const models = createModels({
    providers: { [name]: config },
    ...(transport ? { transport } : {}),
    ...(clock ? { clock } : {}),
    ...(now ? { now } : {}),
  });
  onTestFinished(() => models.close());
  return { model: await models.resolve(`${name}/${model}`, { env: {} }), requests };
}

export function send(
  response: ServerResponse,
  wire: Wire,
  { reply, isStreamed }: { readonly reply: WireReply; readonly isStreamed: boolean },
): void {
  response.writeHead(200, { 'content-type': isStreamed ? wire.streamType : 'application/json' });
  if (isStreamed) for (const event of wire.stream(reply)) response.write(event);
  response.end(isStreamed ? undefined : wire.whole(reply));
}
