// Reads the document and the facts of a run after its end.

import type { Fact, SessionNode, ToolNode, Totals } from 'ai-agent';
import { framesOf } from '../kills/frames.ts';
import { closedProvider, runIn } from './team.ts';

/** The document of a session, as far as it is checked. */
export interface RunDocument {
  readonly sessionId: string;
  readonly status: string;
  readonly text?: string;
  readonly limit?: string;
  readonly failure?: object;
  readonly incomplete?: readonly Incomplete[];
  readonly ledger: { readonly total: Totals };
  readonly tree: SessionNode | null;
}

export interface Incomplete {
  readonly path: string;
  readonly status: string;
}

export interface EndedRun {
  /** The mark in its prompt. */
  readonly run: string;
  readonly document: RunDocument;
  readonly facts: readonly Fact[];
}

export async function readRun(url: string, id: string): Promise<EndedRun> {
  const document = JSON.parse(await read(`${url}/v1/sessions/${id}`)) as RunDocument;
  const facts: Fact[] = [];
  const response = await fetch(`${url}/v1/sessions/${id}/events`, { signal: AbortSignal.timeout(30_000) });
  for await (const { event, data } of framesOf(response)) {
    if (event === 'end') return { run: runIn(document.tree?.input ?? ''), document, facts };
    facts.push(JSON.parse(data) as Fact);
  }
  throw new Error(`The events of ${id} have no end.`);
}

async function read(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${body}`);
  return body;
}

/** Sessions that began and have no end among these facts. */
export function endlessIn(facts: readonly Fact[]): readonly string[] {
  const ended = new Set(facts.flatMap(({ type, trace }) => (type === 'session-end' ? [trace.selfId] : [])));
  const begun = facts.flatMap(({ type, trace }) => (type === 'session-start' ? [trace.selfId] : []));
  return begun.filter((id) => !ended.has(id));
}

/** Requests that the closed provider refused: no other side can count them. */
export function refusedIn(facts: readonly Fact[]): number {
  const requests = facts.flatMap((fact) => (fact.type === 'model-end' ? fact.requests : []));
  return requests.filter(({ provider, status }) => provider === closedProvider && status !== 'refused').length;
}

/** The children of the lead whose work is missing, read from the tree. */
export function missingIn(tree: SessionNode | null): readonly Incomplete[] {
  const calls = (tree?.turns ?? []).flatMap(({ operations }) => operations).filter((one) => one.type === 'tool');
  return calls.flatMap((call) => {
    const status = statusOf(call);
    const path = call.session?.trace.callPath ?? `${tree?.trace.callPath}:${call.label}`;
    return status === 'completed' || status === 'ok' ? [] : [{ path, status }];
  });
}

function statusOf({ status, session }: ToolNode): string {
  return session ? session.status : status;
}
