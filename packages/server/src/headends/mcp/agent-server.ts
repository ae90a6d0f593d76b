// A server of the protocol that tells who sent wrong parameters that they are: the SDK itself would say that the server is broken.

import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Answer = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

export class AgentServer extends Server {
  protected override _wrapHandler(method: string, handler: Answer): Answer {
    // Parameters are read inside the handler; what is wrong with them is an error whose message is a list of issues.
    const answer: Answer = async (request, context) => {
      try {
        return await handler(request, context);
      } catch (error) {
        const wrong = issuesOf(error);
        if (wrong === undefined) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Wrong parameters: ${wrong}`);
      }
    };
    return super._wrapHandler(method, answer);
  }
}

function issuesOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.message.startsWith('[')) return undefined;
  try {
    const issues = JSON.parse(error.message) as readonly {
      readonly path: readonly string[];
      readonly message: string;
    }[];
    return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  } catch {
    return undefined;
  }
}
