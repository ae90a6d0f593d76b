// `POST /v1/chat`: agents for chats in web pages, as older embed clients speak. Whoever chats is a visitor of a page, whatever key it has.

import type { Hono } from 'hono';
import { answer } from '../../answer.ts';
import type { Headend } from '../../app.ts';
import { callerOf } from '../../caller.ts';
import { checkWords } from '../../check-input.ts';
import type { Inside } from '../../door.ts';
import type { ToError } from '../../failure-status.ts';
import type { Hall } from '../../hall.ts';
import { defaultBodyBytes } from '../../read-body.ts';
import { checkAgent, resume } from '../../resume.ts';
import type { Visitor } from '../../visitor.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { mountBrowserClass } from './browser-class.ts';
import { codeOf, ofPort, toChatError } from './chat-error.ts';
import { ChatMetrics } from './chat-metrics.ts';
import { type EmbedProfile, Guests } from './guests.ts';
import { readChat } from './read-chat.ts';
import { type Chat, streamChat } from './stream-chat.ts';

export interface EmbedOptions {
  /** What the body of a request may come to. @default 1 MiB */
  readonly maxBodyBytes?: number;
  /** Of a port of its own, where nothing else is. @default it is one headend of several */
  readonly profile?: EmbedProfile;
}

const path = '/v1/chat';

export function embed(options: EmbedOptions = {}): Headend {
  const { profile, maxBodyBytes = defaultBodyBytes } = options;
  const name = profile ? `embed:${profile.name}` : 'embed';
  const metrics = new ChatMetrics();
  const toError: ToError = (failure, more) => {
    metrics.failed(codeOf(failure));
    return toChatError(profile ? ofPort(failure) : failure, more);
  };
  return {
    name,
    mountOutside(app) {
      if (!profile) return;
      mountBrowserClass(app);
      if (profile.metricsPath !== undefined) app.get(profile.metricsPath, () => metrics.toResponse());
    },
    mount(app, hall) {
      const guests = new Guests(hall, profile);
      mountChat(app, { hall, guests, metrics, headend: name, maxBodyBytes });
      app.all(path, () => wrongMethod('POST', toError));
    },
    errorsAt: (request) => (profile || new URL(request.url).pathname === path ? toError : undefined),
  };
}

interface Mounting {
  readonly hall: Hall;
  readonly guests: Guests;
  readonly metrics: ChatMetrics;
  readonly headend: string;
  readonly maxBodyBytes: number;
}

function mountChat(app: Hono<Inside>, { hall, guests, metrics, headend, maxBodyBytes }: Mounting): void {
  app.post(path, async (context) => {
    const request = context.req.raw;
    const said = await readChat(request, maxBodyBytes);
    const { visitor, client } = guests.meet(context.get('visitor'), request, said.clientId);
    const served = await findAgent(hall, visitor, said);
    const { message, output, history, session } = said.for(served);
    const base = { visitor, headend, above: callerOf(request.headers), ...(output ? { output } : {}) };
    const ask: Chat['ask'] = (hearing) =>
      session === undefined
        ? answer(hall, { ...base, agent: served.name, prompt: message, history, ...hearing })
        : resume(hall, session, { ...base, message, ...hearing });
    return streamChat({ hall, request, metrics, client, ask });
  });
}

interface Named {
  readonly agentId: string | undefined;
  readonly session: string | undefined;
  readonly message: string;
}

/** Never another one than was asked for. Throws `agent-unknown`, `agent-forbidden`, `session-unknown`. */
async function findAgent(hall: Hall, visitor: Visitor, { agentId, session, message }: Named) {
  const head = session === undefined ? undefined : await hall.session(session, visitor);
  const [first] = hall.agentsFor(visitor);
  const served = hall.agent(agentId ?? head?.agent ?? first?.name ?? '', visitor);
  if (head) checkAgent(head, served.name);
  if (!head?.question) checkWords(served, message);
  return served;
}
