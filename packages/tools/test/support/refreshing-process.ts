// A process of its own that shows what is kept to a server, and renews it when it is refused: address, folder.

import { fileTokenStore } from '../../src/oauth/file-token-store.ts';
import { Logins } from '../../src/oauth/logins.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs: number, wake: () => void) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};
const tokens = fileTokenStore({ folder });
const logins = new Logins({ clock, tokens, openWay: () => ({ fetch, close: async () => {} }) });
const auth = logins.open({ name: 'vault', url, oauth: undefined, hasOwnKey: false }, fetch);
const ask = async () => {
  const headers = { authorization: `Bearer ${await auth?.provider.token()}` };
  return auth?.fetch(url, { method: 'POST', headers, body: '{}' });
};
const response = await ask();
if (response?.status === 401)
  await auth?.provider.onUnauthorized?.({ response, serverUrl: new URL(url), fetchFn: fetch });
const again = await ask();
process.stdout.write(again?.status === 405 ? 'renewed\n' : `${again?.status}\n`);
