// Where clients that take agents for models find a server, and what they have to be told of it.

import type { Door } from './doors.ts';
import type { House } from './house.ts';
import { toUsable } from './reachable.ts';

/** The base URL that a client of this API is given; undefined where it is not spoken. */
export function modelAddressOf({ listening, headend }: Door, api: 'openai' | 'anthropic'): string | undefined {
  if (headend !== undefined && headend !== api) return undefined;
  const url = toUsable(listening.url);
  return api === 'openai' ? `${url}/v1` : url;
}

/** A line with variables that official clients and many others read: of the first place for each API. */
export function toModelLine(
  { doors, hasKeys }: House,
  agents: readonly { readonly name: string }[],
): string | undefined {
  const variables = apis.flatMap(([api, variable]) => {
    const url = doors.map((door) => modelAddressOf(door, api)).find((one) => one !== undefined);
    return url === undefined ? [] : [`${variable}=${url}`];
  });
  const [first] = agents;
  if (variables.length === 0 || !first) return undefined;
  const key = hasKeys ? 'one of yours' : 'any';
  return `For clients of models: ${variables.join(' ')} (model: ${first.name}, API key: ${key})`;
}

const apis = [
  ['openai', 'OPENAI_BASE_URL'],
  ['anthropic', 'ANTHROPIC_BASE_URL'],
] as const;
