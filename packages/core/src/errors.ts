// The catalogue of everything that can go wrong, and the one class that carries it. Imports nothing.

/** What kind of trouble it is. Exit codes and HTTP statuses are derived from the class, never from the code. */
export type FailureClass =
  | 'config'
  | 'auth'
  | 'rate_limit'
  | 'quota'
  | 'timeout'
  | 'network'
  | 'model'
  | 'invalid_output'
  | 'tool'
  | 'usage'
  | 'budget'
  | 'bug'
  | 'cancelled';

interface Entry {
  readonly class: FailureClass;
  /** What the reader can do about it. */
  readonly remedy: string;
  /** Whether the same request may succeed later without a change. */
  readonly retryable?: boolean;
}

/** Every code, documented in docs/errors.md; a test compares the two. */
export const catalogue = {
  'agent-invalid': { class: 'config', remedy: 'Correct the agent definition; the message names the field.' },
  'schema-invalid': { class: 'config', remedy: 'Correct the JSON Schema; the message says where it is broken.' },
  'tool-name-collision': {
    class: 'config',
    remedy: 'Rename one of the two tools, or give the agent another toolName.',
  },
  'tool-source-failed': { class: 'config', remedy: 'Check that the source of these tools is reachable and set up.' },
  'model-unknown': { class: 'config', remedy: 'Name a model as provider/model, with a provider that is set up.' },
  'port-missing': { class: 'config', remedy: 'Hand in the named port, or import from ai-agent, which brings its own.' },
  'file-missing': { class: 'config', remedy: 'Correct the path, or create the file; paths begin where their file is.' },
  'file-refused': {
    class: 'config',
    remedy: 'Move the file below the folder of the agent, or name its folder in includeRoots of .ai-agent.json.',
  },
  'frontmatter-invalid': { class: 'config', remedy: 'Correct the YAML between the two lines of three dashes.' },
  'key-unknown': { class: 'config', remedy: 'Correct the spelling of the key, or take it out.' },
  'key-invalid': { class: 'config', remedy: 'Give the key a value that it takes; the message says which.' },
  'key-conflict': { class: 'config', remedy: 'Say it once, or say the same in both places.' },
  'key-idle': { class: 'config', remedy: 'Take the key out: nothing comes of it here.' },
  'prompt-invalid': {
    class: 'config',
    remedy: 'Correct the template; text that is meant as it stands goes between {% raw %} and {% endraw %}.',
  },
  'prompt-empty': { class: 'config', remedy: 'Write a prompt below the frontmatter.' },
  'usage-missing': { class: 'config', remedy: 'Add usage: an example of what to ask this agent.' },
  'output-missing': { class: 'config', remedy: 'Add output with the format of the report: text, markdown or json.' },
  'description-missing': {
    class: 'config',
    remedy: 'Add description to that file: the agent is chosen by it.',
  },
  'agent-file-cycle': {
    class: 'config',
    remedy: 'Take one of these files out of a list of another: agents, advisors, router or handoff.',
  },
  'listen-refused': { class: 'config', remedy: 'Choose another host or port.' },
  'slack-refused': {
    class: 'config',
    remedy: 'Check the tokens of the Slack app, and what it may do; docs/slack.md sets it up.',
  },
  'name-reserved': { class: 'config', remedy: 'Rename the file, or give it another toolName.' },
  'name-taken': { class: 'config', remedy: 'Rename one of the two files, or give one another toolName.' },
  'tool-not-configured': {
    class: 'config',
    remedy: 'Add it to mcpServers, restTools or openapiSpecs of .ai-agent.json, or correct the name.',
  },
  'plugin-invalid': { class: 'config', remedy: 'Correct the module of the plugin; the message says what it lacks.' },
  'secret-missing': { class: 'config', remedy: 'Define the variable in the shell or in .ai-agent.env.' },
  'config-invalid': { class: 'config', remedy: 'Correct .ai-agent.json; the message says where.' },
  'env-file-invalid': { class: 'config', remedy: 'Write each line of .ai-agent.env as NAME=value.' },
  'session-used': { class: 'usage', remedy: 'A session is single-use: create a new one for every run.' },
  'session-input-invalid': { class: 'usage', remedy: 'Correct the input; the message names what does not fit.' },
  'journal-mismatch': {
    class: 'usage',
    remedy: 'A journal belongs to one run: use another session id for another prompt.',
  },
  'model-auth': { class: 'auth', remedy: 'Check the key of this provider and what it is allowed to use.' },
  'model-rate-limit': { class: 'rate_limit', remedy: 'Wait, or lower the number of parallel calls.', retryable: true },
  'model-quota': { class: 'quota', remedy: 'Check the plan and the balance of the account at this provider.' },
  'model-timeout': {
    class: 'timeout',
    remedy: 'Try again; if it stays, ask for less at once or use a faster model.',
    retryable: true,
  },
  'model-network': {
    class: 'network',
    remedy: 'Check the address and the connection, then try again.',
    retryable: true,
  },
  'model-unavailable': { class: 'model', remedy: 'The provider is in trouble: try again later.', retryable: true },
  'model-request-refused': { class: 'model', remedy: 'Read the message of the provider and correct the request.' },
  'model-reply-invalid': { class: 'model', remedy: 'Try again; if it stays, use another model.', retryable: true },
  'model-failed': { class: 'model', remedy: 'Read the message; if it says nothing, try another model.' },
  'model-refusal': { class: 'model', remedy: 'Rephrase the request, or use another model.' },
  'output-invalid': { class: 'invalid_output', remedy: 'Simplify the output schema, or use a stronger model.' },
  'tool-unknown': {
    class: 'tool',
    remedy: 'Call one of the tools that are offered, or give your final answer as plain text.',
  },
  'tool-arguments-invalid': { class: 'tool', remedy: 'Send arguments that satisfy the input schema of the tool.' },
  'tool-failed': { class: 'tool', remedy: 'Read the message; try other arguments or another tool.' },
  'tool-refused': { class: 'tool', remedy: 'Do without this call, or ask for less at once.' },
  'tool-timeout': {
    class: 'timeout',
    remedy: 'Ask for less at once, or raise the time limit of this tool.',
    retryable: true,
  },
  'agent-cycle': { class: 'tool', remedy: 'Do this part yourself, or call an agent that is not above you.' },
  'depth-limit': { class: 'tool', remedy: 'Do this part yourself with your other tools, or raise maxDepth.' },
  'approval-denied': { class: 'tool', remedy: 'Do without this call, or do it in another way.' },
  'permission-denied': { class: 'tool', remedy: 'Do without this tool: it was taken away on purpose.' },
  'budget-exhausted': { class: 'budget', remedy: 'Finish with what there is, or raise the budget.' },
  stopped: { class: 'budget', remedy: 'Use what there is, or ask again for the rest.' },
  'cut-off': { class: 'budget', remedy: 'Use what there is, or ask again for the rest.' },
  'limit-reached': { class: 'budget', remedy: 'Ask for a smaller part, or raise this limit.' },
  'price-unknown': {
    class: 'config',
    remedy:
      'Add the price under `pricing` in .ai-agent.json, or limit tokens instead of money. A program can also give a prices port.',
  },
  'question-unknown': {
    class: 'usage',
    remedy: 'Use the handle of a question that is still open; each is answered once.',
  },
  'question-left': { class: 'tool', remedy: 'Answer it later, with the handle of the outcome.' },
  'answer-invalid': { class: 'usage', remedy: 'Answer the question in the form it asks for.' },
  'request-invalid': { class: 'usage', remedy: 'Correct the request; the message names what does not fit.' },
  'request-too-large': { class: 'usage', remedy: 'Send less at once; the message says how much is taken.' },
  'headers-too-large': { class: 'usage', remedy: 'Send fewer or shorter headers.' },
  'request-slow': { class: 'timeout', remedy: 'Send the whole request without pauses.', retryable: true },
  'route-unknown': { class: 'usage', remedy: 'See /docs on this server for what there is.' },
  'method-wrong': { class: 'usage', remedy: 'Use one of the methods in the header Allow.' },
  'agent-unknown': { class: 'usage', remedy: 'Name an agent that is served; GET /v1 lists them.' },
  'session-unknown': {
    class: 'usage',
    remedy: 'Use the id of a session that your own key started; old ones are deleted in time.',
  },
  'session-busy': {
    class: 'usage',
    remedy: 'Wait until it has ended, or stop it; then go on with it.',
    retryable: true,
  },
  'session-interrupted': {
    class: 'network',
    remedy: 'Go on with it: send a further message with the id of the session, or ask again in a new one.',
    retryable: true,
  },
  'store-failed': {
    class: 'config',
    remedy: 'Name another place for the store (--store of the command), or keep nothing (--no-store).',
  },
  'store-unreachable': {
    class: 'config',
    remedy: 'Start the database, and check its address, with the user and the password in it.',
    retryable: true,
  },
  'store-full': {
    class: 'config',
    remedy:
      'Free some space on that disk, or name another place (--store of the command). Deleting sessions needs some space too.',
    retryable: true,
  },
  'store-read-only': {
    class: 'config',
    remedy: 'Allow writing to the file and its folder, or name another place (--store of the command).',
  },
  'store-newer': { class: 'config', remedy: 'Use the newer ai-agent, or name another place (--store of the command).' },
  'store-damaged': {
    class: 'config',
    remedy: 'Move the file away, or bring back a copy of it; or name another place (--store of the command).',
  },
  'key-refused': {
    class: 'auth',
    remedy: 'Send a key of this server as Authorization: Bearer <key>, or as x-api-key.',
  },
  'agent-forbidden': { class: 'auth', remedy: 'Use a key that may call this agent.' },
  'origin-refused': {
    class: 'auth',
    remedy: 'Name the origin in api.cors, or the host in api.hosts, of .ai-agent.json.',
  },
  'key-limited': {
    class: 'auth',
    remedy: 'Use a key that does not stand in a page: one without origins.',
  },
  'too-many-requests': { class: 'rate_limit', remedy: 'Wait as long as Retry-After says.', retryable: true },
  'allowance-spent': {
    class: 'quota',
    remedy: 'Wait as long as Retry-After says, or use another key.',
    retryable: true,
  },
  'server-full': { class: 'rate_limit', remedy: 'Wait as long as Retry-After says.', retryable: true },
  'server-stopping': { class: 'network', remedy: 'Ask again when the server is back.', retryable: true },
  'reply-cut': { class: 'model', remedy: 'Send fewer or shorter calls, or raise maxOutputTokens.' },
  'seam-broken': { class: 'bug', remedy: 'Mend the loop, or the layer that broke it: the message names the rule.' },
  internal: { class: 'bug', remedy: 'This is a defect of ours: please report it with the message.' },
  cancelled: { class: 'cancelled', remedy: 'Start it again if it was not meant to end.' },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof catalogue;

/** A failure as plain data: what outcomes, facts and tool results carry. */
export interface Failure {
  readonly class: FailureClass;
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
  readonly retryable: boolean;
  /** HTTP status of the provider or server, when there was one. */
  readonly status?: number;
  /** How long the other side asked us to wait. */
  readonly retryAfterMs?: number;
  /** The limit that was reached, when one was. */
  readonly limit?: string;
}

export interface AgentErrorOptions {
  readonly cause?: unknown;
  /** Replaces the catalogue's remedy where the place knows a better one. */
  readonly remedy?: string;
  /** Replaces the class of the code: a sub-agent's failure keeps its own class inside a tool result. */
  readonly class?: FailureClass;
  readonly retryable?: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly limit?: string;
}

// Registered, so that two copies of this module recognise each other's errors.
const marker = Symbol.for('ai-agent.error');

export class AgentError extends Error {
  readonly code: ErrorCode;
  readonly class: FailureClass;
  readonly remedy: string;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly limit: string | undefined;
  readonly [marker] = true;

  constructor(code: ErrorCode, message: string, options: AgentErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const entry: Entry = catalogue[code];
    this.name = 'AgentError';
    this.code = code;
    this.class = options.class ?? entry.class;
    this.remedy = options.remedy ?? entry.remedy;
    this.retryable = options.retryable ?? entry.retryable ?? false;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.limit = options.limit;
  }
}

export function isAgentError(error: unknown): error is AgentError {
  return error instanceof Error && marker in error;
}

export function isCancellation(error: unknown): boolean {
  return isAgentError(error) && error.class === 'cancelled';
}

/** Any thrown thing as a failure; what nobody classified gets the fallback code. */
export function toFailure(error: unknown, fallback: ErrorCode = 'internal'): Failure {
  const known = isAgentError(error) ? error : new AgentError(fallback, messageOf(error), { cause: error });
  return {
    class: known.class,
    code: known.code,
    message: known.message,
    remedy: known.remedy,
    retryable: known.retryable,
    ...(known.status === undefined ? {} : { status: known.status }),
    ...(known.retryAfterMs === undefined ? {} : { retryAfterMs: known.retryAfterMs }),
    ...(known.limit === undefined ? {} : { limit: known.limit }),
  };
}

/** The words of anything thrown: never blank, and safe from things that throw again when looked at. */
export function messageOf(error: unknown): string {
  try {
    return wordsOf(error);
  } catch {
    return 'Something was thrown that cannot be read';
  }
}

function wordsOf(error: unknown): string {
  if (typeof error === 'string' && error.trim() !== '') return error;
  if (typeof error !== 'object' || error === null) return `Something was thrown without a message (${String(error)})`;
  const { message, name } = error as { readonly message?: unknown; readonly name?: unknown };
  if (typeof message === 'string' && message.trim() !== '') return message;
  return typeof name === 'string' && name !== ''
    ? `${name} without a message`
    : 'An object was thrown without a message';
}
