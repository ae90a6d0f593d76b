// A server that names an authorization server inside somebody's network is not believed, unless it is on this machine itself.

import { expect, test } from 'vitest';
import type { LoginsOptions } from '../src/oauth/logins.ts';
import { Outbound, type OutboundOptions } from '../src/outbound/outbound.ts';
import { browser, openLogins, visit } from './support/login-visitor.ts';
import { serveProtected } from './support/protected-server.ts';

/** Every name leads to this machine. */
const lookup: NonNullable<OutboundOptions['lookup']> = (_host, _options, done) => {
  done(null, [{ address: '127.0.0.1', family: 4 }]);
};

/** The real way out, and what was named for it. */
function watchedWay(): { readonly openWay: LoginsOptions['openWay']; readonly named: string[] } {
  const named: string[] = [];
  return {
    named,
    openWay(names) {
      named.push(...names);
      return new Outbound({ named: names, lookup });
    },
  };
}

test('a server elsewhere that names one on this machine: nothing is sent there', async () => {
  const server = await serveProtected();
  const { port } = new URL(server.url);
  const { openWay } = watchedWay();
  const fetchElsewhere = new Outbound({ named: [`http://vault.test:${port}`], lookup });
  const logins = openLogins({ ...browser(), openWay });
  const visiting = visit(logins, { url: `http://vault.test:${port}/mcp`, fetch: fetchElsewhere.fetch });
  const failed = await visiting.catch((error: unknown) => error);
  expect(failed).toMatchObject({
    class: 'auth',
    message: expect.stringContaining('not allowed'),
    remedy: expect.stringContaining('oauth.issuer of mcpServers.vault'),
  });
  expect(server.asked).toEqual([]);
  expect(server.metadataReads).toBe(0);
  await fetchElsewhere.close();
});

test.each([
  ['http://vault.test:1234/mcp', ['http://vault.test:1234']],
  ['https://vault.test/mcp', ['https://vault.test']],
  ['http://10.0.0.5:1234/mcp', ['10.0.0.5:*']],
  ['http://[fd00::5]:1234/mcp', ['[fd00::5]:*']],
  ['http://localhost:1234/mcp', ['localhost:*', '127.0.0.1:*', '[::1]:*']],
])('what is named for %s is the server, every port of it only where no name leads elsewhere', (url, expected) => {
  const { openWay, named } = watchedWay();
  const issuer = 'http://10.0.0.7:9000';
  openLogins({ openWay }).open({ name: 'vault', url, oauth: { issuer }, hasOwnKey: false }, fetch);
  expect(named).toEqual([...expected, issuer]);
});

test('a name that is made to lead to this machine opens no other port of it', async () => {
  const server = await serveProtected();
  const { port } = new URL(server.url);
  const other = new URL(server.issuer).port;
  // Its description sends us to its own name, at a port that is not its own.
  server.ways.describe = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        resource: `http://vault.test:${port}/mcp`,
        authorization_servers: [`http://vault.test:${other}`],
      }),
    );
  const { openWay } = watchedWay();
  // The challenge names this machine: only the name is asked here.
  const challenge = { 'www-authenticate': 'Bearer realm="vault"' };
  const refuse = async () => new Response('{}', { status: 401, headers: challenge });
  const visiting = visit(openLogins({ ...browser(), openWay }), {
    url: `http://vault.test:${port}/mcp`,
    fetch: refuse,
  });
  await expect(visiting).rejects.toMatchObject({
    class: 'auth',
    message: expect.stringContaining('not allowed'),
    remedy: expect.stringContaining('oauth.issuer of mcpServers.vault'),
  });
  expect([server.metadataReads, server.asked]).toEqual([0, []]);
});

test('a server on this machine may have its own on another port', async () => {
  const server = await serveProtected();
  const { openWay } = watchedWay();
  const { call } = await visit(openLogins({ ...browser(), openWay }), server);
  expect(await call()).toEqual({ type: 'text', text: 'seen' });
});
