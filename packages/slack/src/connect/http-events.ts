// Events that Slack posts to us: each is signed, read, and answered with what its listener acknowledges.

import { type App, isValidSlackRequest, type Receiver } from '@slack/bolt';

/** More is not from Slack. */
const mostBytes = 1024 * 1024;

/** Slack waits three seconds. */
const ackWithinMs = 2_500;

export class HttpEvents implements Receiver {
  readonly #signingSecret: string;
  readonly #onRefused: () => void;
  #app: App | undefined;

  /** `onRefused` hears of every request that is not signed. */
  constructor(signingSecret: string, onRefused: () => void) {
    this.#signingSecret = signingSecret;
    this.#onRefused = onRefused;
  }

  init(app: App): void {
    this.#app = app;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  readonly handle = async (request: Request): Promise<Response> => {
    const text = await readText(request);
    if (text === undefined) return new Response(null, { status: 413 });
    if (!this.#isSigned(request, text)) {
      this.#onRefused();
      return new Response('This is not signed by Slack.\n', { status: 401 });
    }
    const body = readBody(request, text);
    if (!body) return new Response('This is neither JSON nor a form.\n', { status: 400 });
    if (body.ssl_check !== undefined) return new Response();
    if (body.type === 'url_verification') return Response.json({ challenge: body.challenge });
    return this.#process(request, body);
  };

  #isSigned({ headers }: Request, body: string): boolean {
    const signature = headers.get('x-slack-signature');
    const timestamp = Number(headers.get('x-slack-request-timestamp'));
    if (signature === null || !Number.isSafeInteger(timestamp)) return false;
    return isValidSlackRequest({
      signingSecret: this.#signingSecret,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp },
    });
  }

  #process({ headers }: Request, body: Body): Promise<Response> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(new Response()), ackWithinMs);
      const answer = (response: Response) => {
        clearTimeout(timer);
        resolve(response);
      };
      const retryNum = Number(headers.get('x-slack-retry-num') ?? Number.NaN);
      const retryReason = headers.get('x-slack-retry-reason');
      const processed = this.#app?.processEvent({
        body,
        ack: async (said?: unknown) => answer(toResponse(said)),
        ...(Number.isNaN(retryNum) ? {} : { retryNum }),
        ...(retryReason === null ? {} : { retryReason }),
      });
      processed?.catch(() => answer(new Response(null, { status: 500 })));
    });
  }
}

/** Undefined when it is too long: the rest is not waited for. */
async function readText({ body }: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

type Body = Readonly<Record<string, unknown>>;

function readBody({ headers }: Request, text: string): Body | undefined {
  if (headers.get('content-type')?.startsWith('application/json')) return parse(text);
  const form = new URLSearchParams(text);
  const payload = form.get('payload');
  return payload === null ? Object.fromEntries(form) : parse(payload);
}

function parse(text: string): Body | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Body) : undefined;
  } catch {
    return undefined;
  }
}

function toResponse(said: unknown): Response {
  if (said === undefined || said === '') return new Response();
  return typeof said === 'string' ? new Response(said) : Response.json(said);
}
