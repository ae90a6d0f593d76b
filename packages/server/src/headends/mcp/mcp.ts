// Agents as tools of the Model Context Protocol: its transports on the routes of the house. What speaks it is loaded for the first who comes.

import type { Context, Handler, MiddlewareHandler } from 'hono';
import type { Headend } from '../../app.ts';
import type { Inside } from '../../door.ts';
import { upgradeOf } from '../../upgrade.ts';
import { wrongMethod } from '../../wrong-method.ts';
import type { McpHouse, McpOptions } from './mcp-house.ts';

export type { McpOptions };

/** `http` at `/mcp`, `sse` at `/mcp/sse` and `/mcp/sse/message`, `ws` at `/mcp/ws`. */
export type McpTransport = 'http' | 'sse' | 'ws';

export interface McpRoutesOptions extends McpOptions {
  /** @default all of them */
  readonly transports?: readonly McpTransport[];
  /** Whether nothing else is on its port: then a WebSocket is taken at any path, as older clients expect. @default false */
  readonly isAlone?: boolean;
}

export function mcp(options: McpRoutesOptions = {}): Headend {
  const { transports = ['http', 'sse', 'ws'], isAlone = false, ...settings } = options;
  let house: Promise<McpHouse> | undefined;
  return {
    name: 'mcp',
    mount(app, hall) {
      const open = () => (house ??= import('./mcp-house.ts').then((all) => new all.McpHouse(hall, settings)));
      const to =
        (answer: (house: McpHouse, context: Context<Inside>) => Response | Promise<Response>): Handler<Inside> =>
        async (context) =>
          answer(await open(), context);
      const routes: Readonly<Record<McpTransport, () => void>> = {
        http: () =>
          void app.all(
            '/mcp',
            to((all, { req, get }) => all.overHttp(req.raw, get('visitor'))),
          ),
        sse() {
          app.get(
            '/mcp/sse',
            to((all, { req, get }) => all.overSse(req.raw, get('visitor'))),
          );
          app.all('/mcp/sse', () => wrongMethod('GET'));
          app.post(
            '/mcp/sse/message',
            to((all, { req, get }) => all.takeMessage(req.raw, get('visitor'))),
          );
          app.all('/mcp/sse/message', () => wrongMethod('POST'));
        },
        ws() {
          const answer = to((all, { req, get }) => all.overWebSocket(req.raw, get('visitor')));
          app.get('/mcp/ws', answer);
          app.all('/mcp/ws', () => wrongMethod('GET'));
          if (isAlone) app.get('*', (context, next) => (upgradeOf(context.req.raw) ? answer(context, next) : next()));
        },
      };
      app.use(isAlone ? '*' : '/mcp/*', guardPages);
      for (const transport of transports) routes[transport]();
    },
    async close() {
      await (await house)?.close();
    },
  };
}

/** The protocol wants it so: a page of another site is refused even where it has a key. */
const guardPages: MiddlewareHandler<Inside> = (context, next) => {
  context.get('origins').guardOrigin(context.req.raw);
  return next();
};
