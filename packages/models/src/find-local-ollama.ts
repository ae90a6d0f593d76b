// Whether a model server runs on this machine, and with which model: asked once, quickly, before anybody is told to buy a key.

import { isObject } from '@ai-agent/core';
import { createTransport } from './http/http-transport.ts';
import type { Transport } from './http/transport.ts';

export interface LocalOllamaOptions {
  /** Its host, or where an API of it is. @default 'http://localhost:11434' */
  readonly baseUrl?: string;
  /** How long it may take, all in all. @default 300 */
  readonly timeoutMs?: number;
  /** @default an own one, closed afterwards */
  readonly transport?: Transport;
}

/** A list of models is never longer than this. */
const maxBytes = 1024 * 1024;

/** The name of its first model. Undefined when nobody is there, or says anything else; never rejects. */
export async function findLocalOllama(options: LocalOllamaOptions = {}): Promise<string | undefined> {
  const { baseUrl = 'http://localhost:11434', timeoutMs = 300, transport } = options;
  const connections = transport ?? createTransport();
  const controller = new AbortController();
  let giveUp = () => {};
  const tooLate = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  const timer = setTimeout(giveUp, timeoutMs);
  try {
    // Not the signal alone: whatever does not listen to it would be waited for.
    return await Promise.race([askForModel(baseUrl, connections, controller.signal), tooLate]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    controller.abort();
    if (!transport) connections.close();
  }
}

async function askForModel(baseUrl: string, { fetch }: Transport, signal: AbortSignal): Promise<string | undefined> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/(?:v1|api)$/, '')}/api/tags`;
  const response = await fetch(url.href, { signal });
  if (!response.ok) return undefined;
  const list: unknown = JSON.parse(await startOf(response));
  const first: unknown = isObject(list) && Array.isArray(list.models) ? list.models[0] : undefined;
  const name = isObject(first) ? first.name : undefined;
  return typeof name === 'string' && /^[\w.:/@+-]{1,200}$/.test(name) ? name : undefined;
}

async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of response.body as ReadableStream<Uint8Array>) {
    size += bytes.length;
    if (size > maxBytes) return '';
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}
