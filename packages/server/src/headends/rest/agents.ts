// `/v1/:agent`: one request, one session, one answer. `/v1`: who there is to ask.

import { AgentError, resultOf } from '@ai-agent/core';
import type { Context, Hono, MiddlewareHandler, Next } from 'hono';
import { answer } from '../../answer.ts';
import { callerOf } from '../../caller.ts';
import { checkWords } from '../../check-input.ts';
import type { Inside } from '../../door.ts';
import type { Hall } from '../../hall.ts';
import { defaultBodyBytes } from '../../read-body.ts';
import { checkAgent, resume } from '../../resume.ts';
import { reservedNames, type ServedAgent } from '../../served-agent.ts';
import { filesTakenBy } from '../../taken-files.ts';
import { usedBy } from '../../used-by.ts';
import type { Visitor } from '../../visitor.ts';
import { wrongMethod } from '../../wrong-method.ts';
import type { Ask } from './answer-stream.ts';
import { type AgentRequest, readGet, readPost } from './read-request.ts';
import { replyTo } from './reply.ts';

export interface AgentRoutesOptions {
  /** What the body of a request may come to. @default 1 MiB */
  readonly maxBodyBytes?: number;
}

const methods = 'GET, POST';

export function mountAgents(app: Hono<Inside>, hall: Hall, options: AgentRoutesOptions = {}): void {
  const { maxBodyBytes = defaultBodyBytes } = options;
  app.get('/v1', (context) => context.json({ agents: entriesFor(hall, context.get('visitor')) }));
  app.all('/v1', () => wrongMethod('GET, HEAD'));
  app.get(
    '/v1/:agent/template',
    unlessReserved(async (context) => readTemplate(context, hall)),
  );
  app.all(
    '/v1/:agent/template',
    unlessReserved(async () => wrongMethod('GET, HEAD')),
  );
  app.get(
    '/v1/:agent',
    toRoute(hall, (request, served) => readGet(request, served)),
  );
  app.post(
    '/v1/:agent',
    toRoute(hall, (request, served) => readPost(request, served, maxBodyBytes)),
  );
  app.all(
    '/v1/:agent',
    unlessReserved(async () => wrongMethod(methods)),
  );
}

type Read = (request: Request, served: ServedAgent) => AgentRequest | Promise<AgentRequest>;

function toRoute(hall: Hall, read: Read): MiddlewareHandler<Inside> {
  return unlessReserved(async (context) => {
    const request = context.req.raw;
    // Whoever only wants to know what would come must not cause any work.
    if (request.method === 'HEAD') return wrongMethod(methods);
    const visitor = context.get('visitor');
    const name = context.req.param('agent') ?? '';
    const served = hall.agent(name, visitor);
    const { wants, session, ...asked } = await read(request, served);
    const above = callerOf(request.headers);
    const base = { ...asked, agent: name, visitor, headend: 'rest', above };
    if (session !== undefined) {
      const head = await hall.session(session, visitor);
      checkAgent(head, served.name);
      if (!head.question) checkWords(served, asked.prompt);
      const said = { ...base, message: asked.prompt };
      const format = wants.format ?? head.output?.format;
      const ask: Ask = (hearing) => resume(hall, session, { ...said, ...hearing });
      return replyTo(context, { hall, wants: { ...wants, format }, ask });
    }
    return replyTo(context, { hall, wants, ask: (hearing) => answer(hall, { ...base, ...hearing }) });
  });
}

/** Throws `route-unknown`, and what looking for an agent throws. */
function readTemplate(context: Context<Inside>, hall: Hall): Response {
  const { name, template } = hall.agent(context.req.param('agent') ?? '', context.get('visitor'));
  if (!template)
    throw new AgentError(
      'route-unknown',
      `The agent ${name} has no template: it was made in a program, not by a file.`,
    );
  return new Response(template(), { headers: { 'content-type': 'text/yaml; charset=utf-8' } });
}

type Handler = (context: Context<Inside>) => Promise<Response>;

/** Those names belong to others, who come later. */
function unlessReserved(handle: Handler): MiddlewareHandler<Inside> {
  return (context: Context<Inside>, next: Next) =>
    reservedNames.includes(context.req.param('agent') ?? '') ? next() : handle(context);
}

/** What an agent may use, and who uses it, is for whoever sees what is done inside. */
function entriesFor(hall: Hall, visitor: Visitor): readonly object[] {
  const agents = hall.agentsFor(visitor);
  if (visitor.isOfPage) return agents.map(toEntry);
  return agents.map((served) => {
    const { budget } = served.agent;
    const users = usedBy(served, agents);
    return { ...toEntry(served), ...(budget ? { budget } : {}), ...(users.length > 0 ? { usedBy: users } : {}) };
  });
}

function toEntry({ name, agent, usage = agent.usage }: ServedAgent): Record<string, unknown> {
  const { description = '', input = { format: 'text' } } = agent;
  const attachments = filesTakenBy(agent);
  return {
    name,
    description,
    ...(usage ? { usage } : {}),
    input,
    output: resultOf(agent) ?? { format: 'text' },
    ...(attachments ? { attachments } : {}),
  };
}
