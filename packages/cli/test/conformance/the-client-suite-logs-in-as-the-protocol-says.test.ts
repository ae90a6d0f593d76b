// The client suite of the protocol finds nothing wrong with how the command logs in.

import { passes, type Scenario } from './support/suite.ts';

const older = '2025-11-25';
const newer = '2026-07-28';

const inBoth = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
];

const inNewer = [
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
];

passes([
  ...inBoth.map((name): Scenario => [`auth/${name}`, older]),
  ...[...inBoth, ...inNewer].map((name): Scenario => [`auth/${name}`, newer]),
  ['auth/2025-03-26-oauth-metadata-backcompat', '2025-03-26'],
  ['auth/2025-03-26-oauth-endpoint-fallback', '2025-03-26'],
  ['auth/client-credentials-basic'],
  ['auth/client-credentials-jwt'],
]);
