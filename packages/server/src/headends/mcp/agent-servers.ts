// Servers of the protocol, one for each connection or request: what they offer are the agents that the visitor may call.

import type { Server, ServerOptions } from '@modelcontextprotocol/server';
import type { Hall } from '../../hall.ts';
import type { AgentCall } from './agent-call.ts';
import { AgentServer } from './agent-server.ts';
import { callAgent } from './call-agent.ts';
import type { Guest } from './guest.ts';
import { LogLevel } from './log-level.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import { toolsFor } from './tools.ts';

const capabilities: NonNullable<ServerOptions['capabilities']> = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: {},
  logging: {},
};

const instructions =
  'Each tool is an agent: a run of its own that may take minutes, calls tools and other agents itself, and answers once. Ask for progress to see what it does. Prompts are the instructions of the agents; resources are runs that have ended.';

export type AgentServerOptions = Pick<AgentCall, 'answerWithinMs'>;

export class AgentServers {
  readonly #hall: Hall;
  readonly #options: AgentServerOptions;
  readonly #version: string;
  readonly #open = new Set<Server>();
  readonly #unfollow: () => void;

  constructor(hall: Hall, version: string, options: AgentServerOptions = {}) {
    this.#hall = hall;
    this.#options = options;
    this.#version = version;
    this.#unfollow = hall.onAgents(() => this.#tellChange());
  }

  /** Those that stay. */
  get size(): number {
    return this.#open.size;
  }

  /** One that serves a single request, and is gone with it. */
  forRequest(guest: Guest): Server {
    return toServer(this.#hall, this.#version, guest, this.#options);
  }

  /** One that stays, and is told when other agents are served. */
  forConnection(guest: Guest): Server {
    const server = this.forRequest(guest);
    this.#open.add(server);
    server.onclose = () => void this.#open.delete(server);
    return server;
  }

  close(): void {
    this.#unfollow();
  }

  #tellChange(): void {
    for (const server of this.#open) {
      // Whoever has just gone hears nothing.
      server.sendToolListChanged().catch(() => {});
      server.sendPromptListChanged().catch(() => {});
    }
  }
}

function toServer(hall: Hall, version: string, guest: Guest, options: AgentServerOptions): Server {
  const server = new AgentServer({ name: 'ai-agent', title: 'ai-agent', version }, { capabilities, instructions });
  const { visitor } = guest;
  const log = new LogLevel();
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(hall, visitor).map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callAgent({ ...options, hall, guest, server, params, context, log }),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(hall, visitor) }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(hall, visitor, params));
  server.setRequestHandler('resources/list', async () => ({ resources: await listResources(hall, visitor) }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => readResource(hall, visitor, uri));
  server.setRequestHandler('logging/setLevel', ({ params: { level } }) => {
    log.set(level);
    return {};
  });
  return server;
}
