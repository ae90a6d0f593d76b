// What harbour/.ai-agent.json calls a REST tool: an API, as small as one can be.

import { createServer } from 'node:http';

createServer((request, response) => {
  const harbour = new URL(request.url, 'http://localhost').searchParams.get('harbour');
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ harbour, metres: 1.2 }));
}).listen(8787, '127.0.0.1');
