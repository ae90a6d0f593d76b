// One request and what came of it, as the output of a tool. Only a cancelled call rejects.

import type { ToolContext, ToolOutput } from '@ai-agent/core';
import { callingOf, withCaller } from '../calling.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Surroundings } from '../surroundings.ts';
import { toAnswer } from './http-answer.ts';
import { brokenExchange, type RefusedSetting, refusedAnswer } from './http-failure.ts';
import type { HttpRequest } from './http-request.ts';
import { struck } from './secrets.ts';

export interface ExchangeSetting extends RefusedSetting {
  readonly outbound: Outbound;
  readonly userAgent: string;
  /** Hears of requests and answers. */
  readonly onTraffic?: Surroundings['onTraffic'];
  /** Reads a good answer. @default the whole of it, by its content type */
  readonly read?: (response: Response, context: ToolContext) => Promise<ToolOutput>;
}

/** `build` makes the request, and may throw what is wrong with the arguments. */
export async function exchange(
  build: () => HttpRequest,
  setting: ExchangeSetting,
  context: ToolContext,
): Promise<ToolOutput> {
  try {
    const request = build();
    const response = await send(request, setting, context);
    if (!response.ok) {
      const refused = await refusedAnswer(response, setting);
      context.signal.throwIfAborted();
      return refused;
    }
    if (setting.read) return await setting.read(response, context);
    return await toAnswer(response, request.method);
  } catch (error) {
    context.signal.throwIfAborted();
    return brokenExchange(error, setting);
  }
}

async function send(request: HttpRequest, setting: ExchangeSetting, context: ToolContext): Promise<Response> {
  const { outbound, userAgent, owner, secrets } = setting;
  const { method, url, headers, body } = request;
  if (!headers.has('accept')) headers.set('accept', 'application/json, text/*;q=0.9, */*;q=0.8');
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
  const tell = (direction: 'sent' | 'received', text: string) =>
    setting.onTraffic?.({ server: owner, direction, text });
  const where = struck(`${method} ${url.origin}${url.pathname}`, secrets);
  tell('sent', where);
  const init = { method, headers, signal: context.signal, ...(body === undefined ? {} : { body }) };
  const response = await withCaller(callingOf(context), () => outbound.fetch(url, init));
  tell('received', `HTTP ${response.status} to ${where}`);
  return response;
}
