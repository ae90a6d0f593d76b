// Node's HTTP and nothing else: an import of it would load Node's fetch and WebSocket too, at three times the cost.

export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
