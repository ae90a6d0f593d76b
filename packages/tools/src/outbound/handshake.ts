// How a WebSocket came about, or why not: it keeps silent about that itself.

import type { Duplex } from 'node:stream';
import { AgentError } from '@ai-agent/core';
import type { Dispatcher } from 'undici';

export interface Handshake {
  /** For one WebSocket. */
  readonly dispatcher: Dispatcher;
  /** What went wrong, for `toNetworkFailure`; nothing while nothing did. */
  readonly failure: unknown;
  /** Ends the connection at once, whatever the other side does. */
  destroy(): void;
}

export function watchHandshake(dispatcher: Dispatcher): Handshake {
  let failure: unknown;
  let socket: Duplex | undefined;
  const heard: Heard = {
    note(error) {
      failure ??= error;
    },
    opened(upgraded) {
      socket = upgraded;
    },
  };
  return {
    dispatcher: dispatcher.compose((dispatch) => (options, handler) => dispatch(options, overheard(handler, heard))),
    get failure() {
      return failure;
    },
    destroy: () => socket?.destroy(),
  };
}

interface Heard {
  note(error: unknown): void;
  opened(socket: Duplex): void;
}

/** The same handler, which tells what it hears. */
function overheard(handler: Dispatcher.DispatchHandler, { note, opened }: Heard): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...heard) => handler.onRequestStart?.(...heard),
    onRequestUpgrade(controller, status, headers, socket) {
      opened(socket);
      handler.onRequestUpgrade?.(controller, status, headers, socket);
    },
    onResponseData: (...heard) => handler.onResponseData?.(...heard),
    onResponseEnd: (...heard) => handler.onResponseEnd?.(...heard),
    onResponseStart(controller, status, ...rest) {
      if (status >= 200) note(notOpened(status));
      handler.onResponseStart?.(controller, status, ...rest);
    },
    onResponseError(controller, error) {
      note(error);
      handler.onResponseError?.(controller, error);
    },
  };
}

function notOpened(status: number): AgentError {
  const isAuth = status === 401 || status === 403;
  return new AgentError('tool-failed', `The server answered with status ${status} instead of opening a WebSocket.`, {
    class: isAuth ? 'auth' : 'network',
    status,
    remedy: isAuth ? 'Check the key of this server.' : 'Check the address: it has to be the one of a WebSocket.',
  });
}
