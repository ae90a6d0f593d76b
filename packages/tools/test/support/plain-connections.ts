// Leases for tests of what becomes of a server's tools: the SDK's own client on a stdio server, and nothing around it.

import { AgentError } from '@ai-agent/core';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Answers, Lease, LeaseOptions, Link } from '../../src/mcp/link.ts';
import type { ServerConfig } from '../../src/mcp/server-config.ts';

export const connections = {
  async lease(server: ServerConfig, { answers = {} }: LeaseOptions): Promise<Lease> {
    let tools: ReturnType<Link['tools']> | undefined;
    const client = new Client(
      { name: 'test', version: '0' },
      {
        capabilities: capabilitiesOf(answers),
        versionNegotiation: { mode: 'auto' },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => (tools = undefined) } },
      },
    );
    const { elicit, sample, roots } = answers;
    if (elicit)
      client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => elicit(params, mcpReq.signal));
    if (sample)
      client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) => sample(params, mcpReq.signal));
    if (roots) client.setRequestHandler('roots/list', () => ({ roots: roots.map((root) => ({ ...root })) }));
    const { command, args, env } = server;
    await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'ignore' }));
    const link: Link = {
      serverName: server.name,
      instructions: client.getInstructions(),
      tools: () => (tools ??= client.listTools().then((listed) => listed.tools)),
      call: async (name, args, { signal, onProgress }) => {
        try {
          const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) =>
            onProgress(`${progress} of ${total}`);
          return await client.callTool({ name, arguments: args }, { signal, onprogress });
        } catch (error) {
          throw new AgentError('tool-failed', String(error), { cause: error });
        }
      },
    };
    return { link, release: () => client.close() };
  },
};

function capabilitiesOf({ elicit, sample, roots }: Answers) {
  return {
    ...(elicit ? { elicitation: { form: {}, url: {} } } : {}),
    ...(sample ? { sampling: {} } : {}),
    ...(roots ? { roots: {} } : {}),
  };
}
