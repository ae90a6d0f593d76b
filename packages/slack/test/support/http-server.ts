// The doors of the stand-in: the Web API, addresses for uploads, files and answers, and the socket.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Files } from './files.ts';
import type { Responses } from './responses.ts';
import type { SocketMode } from './socket-mode.ts';
import { readArguments, type WebApi } from './web-api.ts';

/** What the bot's token may do. */
const SCOPES =
  'app_mentions:read,channels:history,channels:read,chat:write,commands,files:read,files:write,groups:history,groups:read,im:history,im:read,im:write,mpim:history,mpim:read,team:read,users:read';

export interface Doors {
  readonly api: WebApi;
  readonly files: Files;
  readonly responses: Responses;
  readonly sockets: SocketMode;
  readonly botToken: string;
}

export interface Listening {
  readonly base: string;
  close(): Promise<void>;
}

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

export async function listen(doors: Doors): Promise<Listening> {
  const server = createServer((request, response) => {
    route(doors, request, response).catch((error: unknown) => {
      doors.api.faults.push(`The stand-in failed: ${String(error)}`);
      response.writeHead(500).end();
    });
  });
  server.on('upgrade', (request, socket, head) => doors.sockets.accept(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

async function route(doors: Doors, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
  const [, door = '', name = ''] = path.split('/');
  const visit = { request, response, body: await readBody(request) };
  if (door === 'api') return answerCall(doors, name, visit);
  if (door === 'upload') return takeUpload(doors, name, visit);
  if (door === 'files-pri') return giveFile(doors, name, visit);
  if (door === 'response') return takeResponse(doors, path, visit);
  response
    .writeHead(door === 'login' ? 200 : 404, { 'content-type': 'text/html' })
    .end('<html>Sign in to Slack</html>');
}

async function answerCall(doors: Doors, method: string, { request, response, body }: Visit): Promise<void> {
  const given = request.headers['content-type'] ?? '';
  const args = given.startsWith('multipart/') ? await readForm(body, given) : readArguments(body.toString(), given);
  const answer = await doors.api.answer(method, args, request.headers.authorization);
  if (response.destroyed || answer.lost === 'silent') return;
  if (answer.lost === 'cut') {
    request.socket.destroy();
    return;
  }
  const type = 'application/json; charset=utf-8';
  response.writeHead(answer.status, { 'content-type': type, 'x-oauth-scopes': SCOPES, ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

async function takeUpload(doors: Doors, id: string, { request, response, body }: Visit): Promise<void> {
  if (doors.files.areDown) return void response.writeHead(503).end();
  const type = request.headers['content-type'] ?? '';
  const bytes = type.startsWith('multipart/') ? await readFilePart(body, type) : body;
  const fault = doors.files.receive(id, bytes);
  if (fault !== undefined) doors.api.faults.push(fault);
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`OK - ${bytes.length}`);
}

function giveFile({ files, botToken }: Doors, id: string, { request, response }: Visit): void {
  if (request.headers.authorization !== `Bearer ${botToken}`) {
    response.writeHead(302, { location: '/login' }).end();
    return;
  }
  const found = files.bytesOf(id);
  if (found === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': found.mediaType }).end(found.bytes);
}

function takeResponse({ api, responses }: Doors, path: string, { response, body }: Visit): void {
  const args = readArguments(body.toString(), 'application/json');
  api.calls.push({ method: 'response_url', args, at: Date.now() });
  const word = api.check('respond', args);
  const isTaken = word === undefined && responses.respond(path, args);
  if (word === undefined && !isTaken) api.faults.push('response_url: used more than 5 times, or not known.');
  response.writeHead(isTaken ? 200 : 404, { 'content-type': 'text/plain' }).end(isTaken ? 'ok' : (word ?? 'used_url'));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readForm(body: Buffer, type: string): Promise<Record<string, unknown>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

async function readFilePart(body: Buffer, type: string): Promise<Uint8Array> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const [, value] of form) {
    if (typeof value !== 'string') return new Uint8Array(await value.arrayBuffer());
  }
  return new Uint8Array();
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
