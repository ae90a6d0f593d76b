// A server of the protocol that says of what goes wrong whose fault it is: the SDK itself would call wrong parameters a fault of the server, and tell clients of its inside.

import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  SdkError,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';

type Answer = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

interface AgentServerOptions extends ServerOptions {
  /** Told of what nobody foresaw. */
  readonly onBug: (error: unknown) => void;
}

export class AgentServer extends Server {
  readonly #onBug: (error: unknown) => void;

  constructor(info: Implementation, { onBug, ...options }: AgentServerOptions) {
    super(info, options);
    this.#onBug = onBug;
  }

  protected override _wrapHandler(method: string, handler: Answer): Answer {
    const answer: Answer = async (request, context) => {
      try {
        return await handler(request, context);
      } catch (error) {
        throw this.#toTold(error);
      }
    };
    return super._wrapHandler(method, answer);
  }

  /** Parameters are read inside the handler; what is wrong with them is an error whose message is a list of issues. */
  #toTold(error: unknown): unknown {
    const wrong = issuesOf(error);
    if (wrong !== undefined) return new ProtocolError(ProtocolErrorCode.InvalidParams, `Wrong parameters: ${wrong}`);
    if (error instanceof ProtocolError || error instanceof SdkError) return error;
    this.#onBug(error);
    return new ProtocolError(ProtocolErrorCode.InternalError, 'The server could not answer this request.');
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
