// Whether a server still answers anything at all.

import { type Client, ProtocolError } from '@modelcontextprotocol/client';

const patienceMs = 3_000;

export async function isThere(client: Client, how: 'ping' | 'listTools'): Promise<boolean> {
  const options = { timeout: patienceMs };
  try {
    if (how === 'listTools') await client.listTools(undefined, { ...options, cacheMode: 'bypass' });
    else if (client.getProtocolEra() === 'modern') await client.discover(options);
    else await client.ping(options);
    return true;
  } catch (error) {
    // An answer is a sign of life, whatever it says.
    return error instanceof ProtocolError;
  }
}
