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

type Capabilities = NonNullable<ServerOptions['capabilities']>;

const capabilities: Capabilities = { tools: { listChanged: true }, resources: {}, logging: {} };
const withPrompts: Capabilities = { ...capabilities, prompts: { listChanged: true } };

const instructions =
  'Each tool is an agent. A call of one is a run that may take minutes: it works with tools and other agents of its own, tells its progress to who asks for it, and answers once. Say all that it has to know, because it knows nothing of your conversation. An answer may be partial, or a question; the result says so. Resources are your runs that have ended.';

export interface AgentServersOptions extends Pick<AgentCall, 'answerWithinMs'> {
  /** What the server says its version is. */
  readonly version: string;
  /** Whether the instructions of agents are prompts. @default true */
  readonly prompts?: boolean;
}

export class AgentServers {
  readonly #hall: Hall;
  readonly #options: AgentServersOptions;
  readonly #open = new Set<Server>();
  readonly #unfollow: () => void;

  constructor(hall: Hall, options: AgentServersOptions) {
    this.#hall = hall;
    this.#options = options;
    this.#unfollow = hall.onAgents(() => this.#tellChange());
  }

  /** Those that stay. */
  get size(): number {
    return this.#open.size;
  }

  /** One that serves a single request, and is gone with it. */
  forRequest(guest: Guest): Server {
    return toServer(this.#hall, guest, this.#options);
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
      if (this.#options.prompts !== false) server.sendPromptListChanged().catch(() => {});
    }
  }
}

function toServer(hall: Hall, guest: Guest, options: AgentServersOptions): Server {
  const { version, prompts = true, answerWithinMs } = options;
  const server = new AgentServer(
    { name: 'ai-agent', title: 'ai-agent', version },
    { capabilities: prompts ? withPrompts : capabilities, instructions, onBug: hall.onBug },
  );
  const { visitor } = guest;
  const log = new LogLevel();
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(hall, visitor).map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callAgent({ hall, guest, server, params, context, log, answerWithinMs }),
  );
  if (prompts) {
    server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(hall, visitor) }));
    server.setRequestHandler('prompts/get', ({ params }) => getPrompt(hall, visitor, params));
  }
  server.setRequestHandler('resources/list', ({ params }) => listResources(hall, visitor, params?.cursor));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => readResource(hall, visitor, uri));
  server.setRequestHandler('logging/setLevel', ({ params: { level } }) => {
    log.set(level);
    return {};
  });
  return server;
}
