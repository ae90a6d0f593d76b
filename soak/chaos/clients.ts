// A REST client that asks the lead and waits for the answer in one of four forms, or leaves in the middle.

import type { Chance } from '../chance.ts';
import { framesOf } from '../kills/frames.ts';
import { lead } from './team.ts';

const forms = ['plain', 'document', 'stream', 'follow'] as const;
const accepted = { plain: '*/*', document: 'application/vnd.ai-agent+json', stream: 'text/event-stream' };
const leavingShare = 0.15;
/** A client that leaves does so within this time. */
const leavesWithinMs = 2_000;
const limitMs = 120_000;

/** Returns whether the client left before the end. Throws if the server is not as it should be. */
export async function visit(url: string, prompt: string, chance: Chance): Promise<boolean> {
  const form = chance.pick(forms) ?? 'plain';
  const leaving = new AbortController();
  const isLeaving = chance.isTrue(leavingShare);
  const timer = setTimeout(
    () => leaving.abort(isLeaving ? undefined : new Error(`${prompt} has no answer after ${limitMs} ms.`)),
    isLeaving ? chance.upTo(leavesWithinMs) : limitMs,
  );
  try {
    if (form === 'follow') await follow(url, prompt, leaving.signal);
    else await ask(`${url}/v1/${lead}`, { text: prompt }, { accept: accepted[form], signal: leaving.signal });
  } catch (error) {
    if (!isLeaving || !leaving.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return isLeaving && leaving.signal.aborted;
}

/** Starts a session that ends by itself, and reads its events to the end. */
async function follow(url: string, prompt: string, signal: AbortSignal): Promise<void> {
  const started = await ask(`${url}/v1/sessions`, { agent: lead, input: prompt }, { accept: '*/*', signal });
  const { id } = JSON.parse(started) as { id: string };
  const response = await fetch(`${url}/v1/sessions/${id}/events`, { signal });
  for await (const { event } of framesOf(response)) if (event === 'end') return;
  throw new Error(`The events of ${id} stopped without an end.`);
}

/** A run that failed has a status of its own, so every status but those of a refused request will do. */
async function ask(
  url: string,
  body: object,
  { accept, signal }: { readonly accept: string; readonly signal: AbortSignal },
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
    signal,
  });
  const said = await response.text();
  if (!response.headers.has('x-ai-agent-session') && !response.ok)
    throw new Error(`${url} answered ${response.status}: ${said}`);
  return said;
}
