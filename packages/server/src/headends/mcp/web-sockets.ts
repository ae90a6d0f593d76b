// WebSockets of the protocol: who comes is let in by the door like any request, and then has a channel of its own.

import { AgentError } from '@ai-agent/core';
import { WebSocketServer } from 'ws';
import { callerOf } from '../../caller.ts';
import { toErrorResponse, toSafeFailure } from '../../failure-status.ts';
import { refuseRaw } from '../../refuse-raw.ts';
import { upgradeOf } from '../../upgrade.ts';
import type { Visitor } from '../../visitor.ts';
import type { OpenConnections } from './connections.ts';
import { lingerMs, type WsOptions, WsTransport } from './ws-transport.ts';

export interface WebSocketsOptions extends WsOptions {
  /** What one message may come to; one that sends more is closed with 1009. */
  readonly maxBodyBytes: number;
}

const subprotocol = 'mcp';
const versions = ['13', '8'];

export class WebSockets {
  readonly #connections: OpenConnections;
  readonly #options: WebSocketsOptions;
  readonly #server: WebSocketServer;

  constructor(connections: OpenConnections, options: WebSocketsOptions) {
    this.#connections = connections;
    this.#options = options;
    const settings = {
      noServer: true,
      clientTracking: false,
      // Pongs wait for their reader like all else.
      autoPong: false,
      // For who has said that it goes, and does not go.
      closeTimeout: lingerMs,
      maxPayload: options.maxBodyBytes,
      handleProtocols: (offered: ReadonlySet<string>) => offered.has(subprotocol) && subprotocol,
    };
    this.#server = new WebSocketServer(settings);
    this.#server.on('wsClientError', (error, socket) => {
      refuseRaw(socket, new AgentError('request-invalid', `This is no handshake of a WebSocket: ${error.message}.`));
    });
  }

  /** The reply is written only where the connection was not taken. Throws `request-invalid`, and what a full server says. */
  open(request: Request, visitor: Visitor): Response {
    const upgrade = upgradeOf(request);
    if (!upgrade) {
      const failure = new AgentError('request-invalid', 'This address speaks WebSocket only.', {
        remedy: 'Connect with a WebSocket client, subprotocol mcp; over plain HTTP use /mcp.',
      });
      return needsUpgrade(failure, { upgrade: 'websocket', connection: 'Upgrade' });
    }
    const { headers } = request;
    if (!versions.includes(headers.get('sec-websocket-version') ?? ''))
      return needsUpgrade(new AgentError('request-invalid', 'This version of WebSocket is not spoken here.'), {
        'sec-websocket-version': versions.join(', '),
      });
    const offered = headers.get('sec-websocket-protocol');
    if (offered !== null && !offered.split(',').some((one) => one.trim() === subprotocol))
      throw new AgentError('request-invalid', 'None of the subprotocols that are offered is mcp.', {
        remedy: 'Offer the subprotocol mcp, or none.',
      });
    const caller = callerOf(headers);
    this.#connections.checkRoom();
    upgrade.take();
    this.#server.handleUpgrade(upgrade.incoming, upgrade.socket, upgrade.head, (socket) =>
      this.#connections.serve({ visitor, callerOf: () => caller }, new WsTransport(socket, this.#options)),
    );
    return new Response(null, { status: 204 });
  }
}

function needsUpgrade(error: AgentError, headers: Readonly<Record<string, string>>): Response {
  return toErrorResponse(toSafeFailure(error), { status: 426, headers });
}
