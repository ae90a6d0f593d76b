// The client suite of the protocol finds nothing wrong with the command: handshake, calls, streams, questions, headers, schemas.

import { passes } from './support/suite.ts';

const older = '2025-11-25';
const newer = '2026-07-28';

passes([
  ['initialize', '2025-06-18'],
  ['initialize', older],
  ['tools_call', '2025-06-18'],
  ['tools_call', older],
  ['tools_call', newer],
  ['sse-retry', older],
  ['elicitation-sep1034-client-defaults', older],
  ['request-metadata', newer],
  ['http-standard-headers', newer],
  ['http-custom-headers', newer],
  ['http-invalid-tool-headers', newer],
  ['json-schema-ref-no-deref', newer],
  ['json-schema-2020-12-preservation', older],
  ['json-schema-2020-12-preservation', newer],
  ['sep-2322-client-request-state', newer],
]);
