// The OpenAPI document of the agents that somebody may call, made of their own schemas.

import type { ServedAgent } from '../served-agent.ts';
import { agentPaths } from './agent-paths.ts';
import type { Node } from './keywords.ts';
import { Names } from './names.ts';
import { ownSchemas } from './own-schemas.ts';
import { ownHeaders, toResponses } from './replies.ts';
import { SchemaShelf } from './schema-shelf.ts';
import { serverPaths } from './server-paths.ts';

export interface DocumentOptions {
  /** Whether requests need a key. */
  readonly hasKeys: boolean;
  readonly maxBodyBytes: number;
  /** Whether agents are models too, on the same port. */
  readonly hasModels: boolean;
}

/** Nothing of prompts, models, tools or files is in it. */
export function toDocument(agents: readonly ServedAgent[], options: DocumentOptions): Node {
  const { hasKeys, maxBodyBytes, hasModels } = options;
  const names = new Names();
  for (const name of Object.keys(ownSchemas)) names.take(name);
  const shelf = new SchemaShelf(names);
  // A route of the server is where it is, whatever an agent is called.
  const paths = { ...agentPaths(agents, { shelf, hasKeys }), ...serverPaths(hasKeys) };
  return {
    openapi: '3.1.1',
    info: { title: 'ai-agent', version: '1', description: `${plain}${hasModels ? ` ${asModels}` : ''}` },
    // Where the document itself is: that may be below a path of somebody else.
    servers: [{ url: '.' }],
    tags: [
      { name: 'agents', description: 'Ask an agent, and wait for its answer.' },
      { name: 'sessions', description: 'Runs that belong to no connection.' },
      { name: 'server', description: 'Which agents there are, and how the server is.' },
    ],
    ...(hasKeys ? { security: [{ bearer: [] }, { apiKey: [] }] } : {}),
    paths,
    components: {
      schemas: { ...ownSchemas, ...shelf.schemas },
      headers: ownHeaders,
      responses: toResponses(maxBodyBytes),
      ...(hasKeys ? { securitySchemes } : {}),
    },
  };
}

const plain = 'Every agent here answers over plain HTTP.';
const asModels =
  'Each is also a model of its name, see /v1/models: for clients of OpenAI, with /v1 here as their base URL, and of Anthropic, with the address of this server. Chats in web pages are at /v1/chat.';

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A key of this server.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key, in a header of its own.' },
};
