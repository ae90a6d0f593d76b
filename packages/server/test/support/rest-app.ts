// REST in memory, for tests of what it takes and gives.

import type { Agent } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { createApp, Hall, type HallOptions, rest, type ServedAgent } from '../../src/index.ts';

type App = ReturnType<typeof createApp>;

export interface RestApp {
  readonly app: App;
  readonly hall: Hall;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: string | Uint8Array<ArrayBuffer>, contentType?: string): Promise<Response>;
}

interface Options extends Partial<Omit<HallOptions, 'agents'>> {
  readonly maxBodyBytes?: number;
}

export function restApp(agents: readonly (Agent | ServedAgent)[], { maxBodyBytes, ...options }: Options = {}): RestApp {
  const served = agents.map((one) => ('agent' in one ? one : { name: one.name, agent: one }));
  const hall = new Hall({ agents: () => served, ports: fakePorts(), ...options });
  const app = createApp(hall, [rest(maxBodyBytes === undefined ? {} : { maxBodyBytes })]);
  return {
    app,
    hall,
    get: async (path, headers = {}) => app.request(path, { headers }),
    post: async (path, body, contentType) =>
      app.request(path, {
        method: 'POST',
        body,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
      }),
  };
}

/** Of a refusal: the status, the code, and the words. */
export async function refusalOf(response: Response): Promise<readonly [status: number, code: string, message: string]> {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return [response.status, error.code, error.message];
}
