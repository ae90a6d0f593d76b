// Where a document says that it is answered.

import { isObject } from '@ai-agent/core';
import { wrong } from './document.ts';

/** The address of the first server, its variables filled with their defaults. Throws `config-invalid` for one that is no address. */
export function addressOf(servers: readonly unknown[], owner: string): URL {
  const [server] = servers;
  const { url, variables } = isObject(server) ? server : {};
  const filled = (typeof url === 'string' ? url : '/').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    return isObject(variable) ? String(variable.default ?? '') : '';
  });
  const address = URL.parse(filled);
  if (address && /^https?:$/.test(address.protocol)) return address;
  throw wrong(owner, `names no server with an http(s) address (it says ${JSON.stringify(filled.slice(0, 100))})`, {
    remedy: 'Write baseUrl beside spec in openapiSpecs of .ai-agent.json.',
  });
}
