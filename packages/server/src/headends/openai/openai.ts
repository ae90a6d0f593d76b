// Agents as models of OpenAI's API: chat completions and responses, on the routes that its clients know.

import { AgentError } from '@ai-agent/core';
import type { Headend } from '../../app.ts';
import { TalkMemory } from '../../talk/talk-memory.ts';
import { mountChat } from './chat/chat.ts';
import { mountOpenaiModels } from './models.ts';
import { toOpenaiError } from './openai-error.ts';
import { mountResponses } from './responses/responses.ts';

export interface OpenaiOptions {
  /** What the body of a request may come to. @default 32 MiB */
  readonly maxBodyBytes?: number;
  /** Whether what goes on inside is told among the reasoning, where a request does not say. @default false */
  readonly showsActivity?: boolean;
  /** Whether nothing else is on its port: then every error there is in its shape. @default false */
  readonly isAlone?: boolean;
}

export function openai(options: OpenaiOptions = {}): Headend {
  const { isAlone = false } = options;
  return {
    name: 'openai',
    mount(app, hall) {
      const memory = new TalkMemory(hall);
      mountOpenaiModels(app, hall);
      mountChat(app, { hall, memory, options });
      mountResponses(app, { hall, memory, options });
      for (const [name, [message, remedy]] of Object.entries(elsewhere))
        app.all(`/v1/${name}`, () => {
          throw new AgentError('route-unknown', message, { remedy });
        });
    },
    errorsAt: (request) => (isAlone || isOurs(request) ? toOpenaiError : undefined),
  };
}

/** What clients of the API look for, and agents are not. */
const elsewhere: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  completions: [
    'There are no completions of a bare prompt here.',
    'Send messages to /v1/chat/completions, or input to /v1/responses.',
  ],
  embeddings: ['There are no embeddings here.', 'Use another server for them.'],
};

/** Also where a base URL is not quite right: whoever asks reads errors of this shape. */
const paths =
  /^\/v1\/(?:models|chat|completions|responses|embeddings)(?:\/|$)|\/(?:chat\/completions|responses|embeddings)$/;

/** The list of models alone is of two APIs. */
function isOurs(request: Request): boolean {
  const { pathname } = new URL(request.url);
  if (!paths.test(pathname)) return false;
  return !pathname.startsWith('/v1/models') || !request.headers.has('anthropic-version');
}
