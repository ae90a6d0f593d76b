// Our side of the protocol: who we are, what we can be asked, and what we listen to.

import { Client, type ClientCapabilities, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import type { Answers } from './link.ts';

export interface ClientHooks {
  onToolsChanged(): void;
  onLog(level: string, text: string): void;
}

export interface NewClient {
  readonly version: string;
  readonly answers: Answers;
  /** How long a server may be silent when it is asked which revision it speaks. */
  readonly probeMs: number;
  readonly hooks: ClientHooks;
}

export function createClient({ version, answers, probeMs, hooks }: NewClient): Client {
  const client = new Client(
    { name: 'ai-agent', version },
    {
      capabilities: capabilitiesOf(answers),
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
      listMaxPages: mostPages,
    },
  );
  answerWith(client, answers);
  client.setNotificationHandler('notifications/tools/list_changed', () => hooks.onToolsChanged());
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    hooks.onLog(params.level, params.logger === undefined ? text : `${params.logger}: ${text}`);
  });
  return client;
}

export const mostPages = 1_000;
export const mostTools = 10_000;
const logLevel = 'warning';

/** Asks to be told of what a server logs, and of changes; `onDeaf` when changes are no longer told. Its failure is nobody's. */
export async function startListening(client: Client, onDeaf: () => void): Promise<void> {
  const { tools, logging } = client.getServerCapabilities() ?? {};
  if (client.getProtocolEra() === 'legacy') {
    if (logging) await client.setLoggingLevel(logLevel).catch(() => {});
    return;
  }
  if (!tools?.listChanged) return;
  const subscription = await client.listen({ toolsListChanged: true }).catch(() => undefined);
  if ((await subscription?.closed) === 'remote') onDeaf();
}

/** What goes with each call: newer servers are told there what they may log. */
export function metaOfCall(client: Client): Readonly<Record<string, unknown>> {
  const isWanted = client.getProtocolEra() === 'modern' && client.getServerCapabilities()?.logging !== undefined;
  return isWanted ? { [LOG_LEVEL_META_KEY]: logLevel } : {};
}

function capabilitiesOf({ elicit, sample, roots }: Answers): ClientCapabilities {
  return {
    ...(elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
    ...(sample ? { sampling: {} } : {}),
    ...(roots ? { roots: {} } : {}),
  };
}

function answerWith(client: Client, answers: Answers): void {
  const { roots } = answers;
  const elicit = answers.elicit?.bind(answers);
  const sample = answers.sample?.bind(answers);
  if (elicit) client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => elicit(params, mcpReq.signal));
  if (sample)
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) => sample(params, mcpReq.signal));
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: roots.map((root) => ({ ...root })) }));
}
