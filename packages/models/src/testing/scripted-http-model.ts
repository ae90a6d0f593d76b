// A scripted model behind a real socket: server, transport and adapter as a provider would be reached.

import type { ModelRequest } from '@ai-agent/core';
import type { Script, ScriptedModel } from '@ai-agent/core/testing';
import { openaiCompatible } from '../compatible-model.ts';
import { createTransport } from '../http/http-transport.ts';
import { type ScriptedServer, type ScriptedServerOptions, serveScript } from './scripted-server.ts';

export interface ScriptedHttpModel extends ScriptedModel {
  readonly server: ScriptedServer;
  /** Every request so far, as the server read it. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export async function scriptedHttpModel(
  script: Script,
  options: ScriptedServerOptions = {},
): Promise<ScriptedHttpModel> {
  const server = await serveScript(script, options);
  const transport = createTransport();
  const open = openaiCompatible({ name: 'scripted', baseUrl: server.baseUrl, transport });
  const model = await open('model');
  return {
    ...model,
    server,
    requests: server.requests,
    async close() {
      transport.close();
      await server.close();
    },
  };
}
