// Node's HTTP and nothing else: an import of it would load Node's fetch and WebSocket too, at three times the cost.

/** What speaks this protocol, loaded when somebody asks over it: TLS brings all of Node's cryptography. */
export function httpOf(protocol: string): typeof import('node:http') | typeof import('node:https') {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
}
