// What an entry says about its login is right, or it is said what is not, with the word that was meant.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { checkOAuthConfig } from '../src/oauth/oauth-config.ts';

test.each([
  [undefined],
  [false],
  [{}],
  [{ clientId: 'a', clientSecret: '${SECRET}', scopes: ['read'], redirectPort: 8080 }],
  [{ clientId: 'a', privateKey: '${KEY}', algorithm: 'ES256', grant: 'client_credentials', scopes: 'read write' }],
  [{ clientMetadataUrl: 'https://example.com/client.json', issuer: 'https://login.example.com' }],
  [{ redirectPort: '${PORT}', grant: '${GRANT}' }],
])('right: %j', (oauth) => {
  expect(checkOAuthConfig(oauth)).toEqual([]);
});

test.each([
  [true, [], 'oauth is false, or an object'],
  ['yes', [], 'oauth is false, or an object'],
  [{ clientId: 7 }, ['clientId'], 'oauth.clientId is a text'],
  [{ scopes: [1] }, ['scopes'], 'a list of texts, or one text'],
  [{ grant: 'password' }, ['grant'], 'authorization_code or client_credentials'],
  [{ clientId: 'a', privateKey: 'k', algorithm: 'none' }, ['algorithm'], 'RS256'],
  [{ clientMetadataUrl: 'http://example.com/client.json' }, ['clientMetadataUrl'], 'https'],
  [{ clientMetadataUrl: 'https://example.com/' }, ['clientMetadataUrl'], 'path'],
  [{ redirectPort: 0 }, ['redirectPort'], 'between 1 and 65535'],
  [{ issuer: 'nowhere' }, ['issuer'], 'address'],
  [{ grant: 'client_credentials', clientId: 'a' }, ['grant'], 'clientSecret or privateKey'],
  [{ clientSecret: 's' }, ['clientId'], 'oauth.clientId is missing'],
  [{ clientId: 'a', clientSecret: 's', privateKey: 'k' }, ['privateKey'], 'give one of them'],
])('wrong: %j', (oauth, path, message) => {
  expect(checkOAuthConfig(oauth)).toEqual([
    { severity: 'error', code: 'config-invalid', path: ['oauth', ...path], message: expect.stringContaining(message) },
  ]);
});

test('a key that nobody knows is a warning, with the one that was meant', () => {
  expect(checkOAuthConfig({ clientID: 'a', zzz: 1, constructor: 2 })).toMatchObject([
    {
      severity: 'warning',
      code: 'key-unknown',
      path: ['oauth', 'clientID'],
      message: expect.stringContaining('clientId?'),
    },
    { severity: 'warning', path: ['oauth', 'zzz'], message: expect.stringContaining('it has clientId, clientSecret') },
    { severity: 'warning', path: ['oauth', 'constructor'] },
  ]);
});
