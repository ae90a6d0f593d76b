// Failures over HTTP: the only map from codes and classes to statuses, and the one shape of an error.

import { AgentError, catalogue, type ErrorCode, type Failure, type FailureClass, toFailure } from '@ai-agent/core';

/** What was wrong with the request itself. */
const byCode: Partial<Record<ErrorCode, number>> = {
  'key-refused': 401,
  'agent-forbidden': 403,
  'origin-refused': 403,
  'key-limited': 403,
  'agent-unknown': 404,
  'route-unknown': 404,
  'session-unknown': 404,
  'method-wrong': 405,
  'request-slow': 408,
  'agent-cycle': 409,
  'depth-limit': 409,
  'question-unknown': 409,
  'session-busy': 409,
  'session-used': 409,
  'request-too-large': 413,
  'too-many-requests': 429,
  'allowance-spent': 429,
  'headers-too-large': 431,
  'server-full': 503,
  'server-stopping': 503,
};

/** What a run came to: what is ours is 500, what is upstream of us 502 to 504. */
const byClass: Readonly<Record<FailureClass, number>> = {
  usage: 400,
  budget: 402,
  cancelled: 409,
  config: 500,
  bug: 500,
  auth: 502,
  invalid_output: 502,
  model: 502,
  network: 502,
  tool: 502,
  quota: 503,
  rate_limit: 503,
  timeout: 504,
};

export function statusOf({ code, class: kind }: Pick<Failure, 'code' | 'class'>): number {
  return byCode[code] ?? byClass[kind];
}

export interface ErrorBody {
  readonly error: Omit<Failure, 'status'> & { readonly sessionId?: string };
}

/** A failure as clients are told it. */
export function toSafeFailure(error: unknown): Failure {
  return withoutInside(toFailure(error));
}

/** What nobody foresaw, how the house is set up, and where its files are is for whoever runs it: that is in its log. */
export function withoutInside(failure: Failure): Failure {
  const { class: kind, code, message, remedy } = failure;
  if (kind === 'bug') return toFailure(new AgentError('internal', 'The server could not answer this request.'));
  if (kind === 'config' || catalogue[code]?.class === 'config') return { ...failure, ...ofSetUp };
  // What was wrong with a request is said in the words of the request.
  if (kind === 'usage') return failure;
  return { ...failure, message: withoutPaths(message), remedy: withoutPaths(remedy) };
}

/** Also where the class is another: why tools could not be started is told by the programs that they are. */
const ofSetUp = {
  message: 'This agent, or something that it needs, is not set up as it should be.',
  remedy: 'Ask whoever runs the server: its log says what is wrong, beside the id of the session.',
} as const;

/** The same for strangers: what providers and tools say is about accounts, addresses and names that are not for them. */
export function forVisitors(failure: Failure): Failure {
  const safe = withoutInside(failure);
  const isOurs = safe.code in byCode || ofRequests.includes(catalogue[safe.code]?.class);
  return isOurs ? safe : { ...safe, message: unfinished, remedy: safe.retryable ? later : ofSetUp.remedy };
}

/** Classes whose sentences are all ours. */
const ofRequests: readonly FailureClass[] = ['usage', 'budget', 'cancelled', 'config', 'bug'];
const unfinished = 'This could not be finished: something that the agent needs did not work.';
const later = 'Try again in a moment.';

/** Files of this machine, with the line where one is named; addresses of the web stay. */
const paths =
  /(?:file:\/\/|node:internal)[^\s'"`()]*|(?<![\w/:.~\]-])(?:\/|[a-z]:\\)(?:[\w.@+~-]+[\\/])+[\w.@+~-]*(?::\d+){0,2}/gi;

function withoutPaths(text: string): string {
  return text.replace(paths, '…');
}

/** Whole seconds, as the header wants them. Whoever is told to come back is told when, also where nobody knows. */
export function retryAfterOf(failure: Failure): Readonly<Record<string, string>> {
  const isLater = statusOf(failure) === 429 || statusOf(failure) === 503;
  const { retryAfterMs = isLater ? usualMs : undefined } = failure;
  return retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
}

const usualMs = 60_000;

export interface ErrorOptions {
  /** The session that it is about. */
  readonly sessionId?: string;
  /** Where HTTP itself has a name for it. @default that of the failure */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ToError = (failure: Failure, options?: ErrorOptions) => Response;

export function toErrorResponse(failure: Failure, options: ErrorOptions = {}): Response {
  const { sessionId, status = statusOf(failure), headers = {} } = options;
  // The status that a provider gave us is no concern of who asks us.
  const { status: _status, ...told } = failure;
  const body: ErrorBody = { error: { ...told, ...(sessionId === undefined ? {} : { sessionId }) } };
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...retryAfterOf(failure), ...headers },
  });
}
