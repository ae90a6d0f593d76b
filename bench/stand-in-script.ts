// What the stand-in answers: decided from the request alone, so that every contender gets the same.
// The system prompt says `parent of N` or `child`; the job of a session goes from prompts to calls to reports, and is checked.

export interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly stream?: boolean;
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[] | null;
}

interface WireTool {
  readonly function: {
    readonly name: string;
    readonly parameters: { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: string[] };
  };
}

export interface Decision {
  readonly isChild: boolean;
  /** The session has made no calls yet. */
  readonly isFirst: boolean;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

export function decide({ messages, tools = [] }: WireRequest): Decision {
  const system = textOf(messages.find(({ role }) => role === 'system'));
  const job = /job ([\w.]+)/.exec(textOf(messages.find(({ role }) => role === 'user')))?.[1] ?? '';
  const results = messages.filter(({ role }) => role === 'tool').map(textOf);
  const fanOut = Number(/\bparent of (\d+)/.exec(system)?.[1] ?? 0);
  const isChild = fanOut === 0;
  if (results.length > 0) {
    const text = isChild ? reportOfChild(job, results) : reportOfParent(job, results, fanOut);
    return { isChild, isFirst: false, text, calls: [] };
  }
  const wanted = isChild ? tools.slice(0, 1) : tools.slice(0, fanOut);
  return { isChild, isFirst: true, text: '', calls: wanted.map((tool, i) => callOf(tool, `job ${job}.${i} please`)) };
}

function reportOfChild(job: string, results: readonly string[]): string {
  return results[0]?.includes(`TOOL_OK job ${job}.0 `) ? `child done ${job} ` : `child failed ${job} `;
}

function reportOfParent(job: string, results: readonly string[], fanOut: number): string {
  const right = results.filter((text, i) => text.includes(`child done ${job}.${i} `));
  return `parent done ${job} ${right.length} of ${fanOut}`;
}

/** Puts the text into what is required, and into the property that carries a prompt. */
function callOf({ function: { name, parameters } }: WireTool, text: string): Decision['calls'][number] {
  const prompts = ['text', 'prompt'].filter((key) => parameters.properties?.[key]);
  const keys = new Set([...(parameters.required ?? []), ...prompts]);
  return { name, arguments: JSON.stringify(Object.fromEntries([...keys].map((key) => [key, text]))) };
}

function textOf(message: WireMessage | undefined): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}
