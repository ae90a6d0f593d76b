// Delivery over HTTP, signed as Slack signs it.
import { createHmac } from 'node:crypto';
import type { Ack, Envelope } from './socket-mode.ts';
import { isThing, type Thing, textOf } from './values.ts';

export interface HttpDelivery {
  readonly url: string;
  readonly signingSecret: string;
}

export async function deliverByHttp({ url, signingSecret }: HttpDelivery, envelope: Envelope): Promise<Ack> {
  const isEvent = envelope.type === 'events_api';
  const body = isEvent ? JSON.stringify(envelope.payload) : toForm(envelope);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const retry = envelope.retry ?? 0;
  const at = Date.now();
  const response = await fetch(url, {
    method: 'POST',
    signal: AbortSignal.timeout(3000),
    body,
    headers: {
      'content-type': isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
      ...(retry > 0 ? { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_timeout' } : {}),
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
  return { ackMs: Date.now() - at, ackPayload: readAnswer(text) };
}

/** Slack makes sure of an address before it sends anything there. */
export async function verifyUrl(delivery: HttpDelivery): Promise<void> {
  const challenge = 'say-this-back';
  const payload = { type: 'url_verification', challenge, token: 'verification' };
  const answered = await deliverByHttp(delivery, { type: 'events_api', payload });
  const said = answered.ackPayload?.challenge ?? answered.ackPayload?.text;
  if (said !== challenge) throw new Error(`${delivery.url} did not say the challenge back.`);
}

function toForm({ type, payload }: Envelope): string {
  if (type === 'interactive') return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return new URLSearchParams(
    Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, textOf(value)])),
  ).toString();
}

function readAnswer(text: string): Thing | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isThing(value) ? value : { text };
  } catch {
    return { text };
  }
}
