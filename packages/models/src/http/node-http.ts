// Node's HTTP and nothing else: an import of it would load Node's fetch and WebSocket too, at three times the cost.

export const http = process.getBuiltinModule('node:http');

/** Only when somebody asks over TLS: it brings all of Node's cryptography. */
export function https(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}
