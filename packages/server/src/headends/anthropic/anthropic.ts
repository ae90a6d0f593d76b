// Agents as models of Anthropic's API: messages, on the routes that its clients know.

import type { Headend } from '../../app.ts';
import { TalkMemory } from '../../talk/talk-memory.ts';
import { toAnthropicError } from './anthropic-error.ts';
import { mountMessages } from './messages.ts';
import { mountAnthropicModels } from './models.ts';

export interface AnthropicOptions {
  /** What the body of a request may come to. @default 32 MiB */
  readonly maxBodyBytes?: number;
  /** Whether what goes on inside is told among the thinking, where a request does not say. @default false */
  readonly showsActivity?: boolean;
  /** Whether nothing else is on its port: then the list of models is in its shape for everybody. @default false */
  readonly isAlone?: boolean;
}

export function anthropic(options: AnthropicOptions = {}): Headend {
  const { isAlone = false } = options;
  return {
    name: 'anthropic',
    mount(app, hall) {
      const memory = new TalkMemory(hall);
      mountAnthropicModels(app, { hall, isAlone });
      mountMessages(app, { hall, memory, options });
    },
    errorsAt: (request) => (isOurs(request, isAlone) ? toAnthropicError : undefined),
  };
}

/** Also where a base URL is not quite right: whoever asks reads errors of this shape. */
const paths = /^\/v1\/(?:messages|models)(?:\/|$)|\/messages(?:\/count_tokens)?$/;

function isOurs(request: Request, isAlone: boolean): boolean {
  const { pathname } = new URL(request.url);
  if (isAlone) return true;
  if (!paths.test(pathname)) return false;
  return !pathname.startsWith('/v1/models') || request.headers.has('anthropic-version');
}
