// Where a document says that it is answered.

import { isObject } from '@ai-agent/core';
import { wrong } from './document.ts';

/** The address of the first server, its variables filled with their defaults. Throws `config-invalid` for one that is no address. */
export function addressOf(servers: readonly unknown[], owner: string): URL {
  const address = addressIn(servers);
  if (address) return address;
  const said = JSON.stringify(textOf(servers).slice(0, 100));
  throw wrong(owner, `names no server with an http(s) address (it says ${said})`, {
    remedy: 'Write baseUrl beside spec in openapiSpecs of .ai-agent.json.',
  });
}

/** The same, or nothing. */
export function addressIn(servers: readonly unknown[]): URL | undefined {
  const address = URL.parse(textOf(servers));
  return address && /^https?:$/.test(address.protocol) ? address : undefined;
}

function textOf([server]: readonly unknown[]): string {
  const { url, variables } = isObject(server) ? server : {};
  return (typeof url === 'string' ? url : '/').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    return isObject(variable) ? String(variable.default ?? '') : '';
  });
}
