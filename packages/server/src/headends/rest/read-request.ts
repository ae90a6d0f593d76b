// A request to an agent, decoded: what is asked, in which form the answer is wanted, and what it may use.

import { AgentError, type Budget, isObject, type JsonObject, resultOf, toPrompt } from '@ai-agent/core';
import type { Asked } from '../../asked.ts';
import { checkWords } from '../../check-input.ts';
import { checkWish } from '../../check-wish.ts';
import { asWritable, parseJson } from '../../parse-json.ts';
import { readBody } from '../../read-body.ts';
import { type OutputFields, readOutput } from '../../read-output.ts';
import type { ServedAgent } from '../../served-agent.ts';
import { readBudget } from './read-budget.ts';
import { hasField, hasQuery, readFields, readQuery } from './read-fields.ts';
import { readSessionId } from './read-session-id.ts';
import { type Wants, wantsOf } from './wants.ts';

export interface AgentRequest extends Pick<Asked, 'prompt' | 'output' | 'budget'> {
  readonly wants: Wants;
  /** The session that it goes on with. */
  readonly session?: string | undefined;
}

/** Throws `request-invalid`. */
export function readGet(request: Request, served: ServedAgent): AgentRequest {
  const { q, session, ...fields } = readQuery(request.url, ['q', 'format', 'schema', 'session']);
  if (q === undefined || q.trim() === '')
    throw new AgentError('request-invalid', 'q is missing or empty: it is what you ask.', {
      remedy: 'Add ?q= with what you ask, URL-encoded, or send it as the body of a POST.',
    });
  return toRequest(request, served, { prompt: q, fields, session });
}

/** Throws `request-invalid` and `request-too-large`. */
export async function readPost(request: Request, served: ServedAgent, maxBytes: number): Promise<AgentRequest> {
  if (hasQuery(request.url, 'q'))
    throw new AgentError('request-invalid', 'q is for GET; with POST it is the body that is asked.');
  const query = readQuery(request.url, ['format', 'schema', 'session']);
  const read = readerOf(request.headers.get('content-type') ?? '');
  const said = read(await readBody(request, maxBytes), served);
  if (typeof said.prompt === 'string' && said.prompt.trim() === '')
    throw new AgentError('request-invalid', 'The body is empty: it is what you ask.');
  return toRequest(request, served, { ...said, fields: merge(query, said.fields), inAddress: query.session });
}

interface SaidSo {
  readonly prompt: string | JsonObject;
  readonly fields?: OutputFields | undefined;
  readonly budget?: Budget | undefined;
  /** In the body, and in the address. */
  readonly session?: unknown;
  readonly inAddress?: string | undefined;
}

function toRequest(request: Request, served: ServedAgent, said: SaidSo): AgentRequest {
  const { prompt, fields = {}, budget } = said;
  const session = readSessionId(request, said.inAddress, said.session);
  const { format, output } = readOutput(fields, resultOf(served.agent) ?? { format: 'text' });
  // What goes on may be the answer to anything.
  if (session === undefined) checkWords(served, prompt);
  return { prompt, budget, session, ...(output ? { output } : {}), wants: wantsOf(request.headers, format) };
}

type Reader = (body: string, served: ServedAgent) => SaidSo;

function readerOf(contentType: string): Reader {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw new AgentError('request-invalid', 'The body must be UTF-8, and its content type says something else.');
  if (type === '' || type === 'text/plain' || type === 'text/markdown') return (prompt) => ({ prompt });
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return readJson;
  if (type === 'application/x-www-form-urlencoded') return readForm;
  throw new AgentError('request-invalid', 'Bodies of this content type are not taken.', {
    remedy: 'Send text/plain, application/json or application/x-www-form-urlencoded.',
  });
}

/** An agent with a JSON input gets the body as it is; any other the words in it. */
function readJson(body: string, { agent }: ServedAgent): SaidSo {
  if (body.trim() === '') return { prompt: '' };
  const value = parseJson(body, 'The body');
  if (agent.input?.format === 'json') return { prompt: isObject(value) ? asWritable(value as JsonObject) : body };
  if (typeof value === 'string') return { prompt: value };
  if (!isObject(value))
    throw new AgentError('request-invalid', 'The body must be a JSON string, or an object with text.');
  const { format, schema, budget, session, ...said } = value as JsonObject;
  checkWish(said, { words: ['text', 'prompt', 'q', 'json'], beside: ['format', 'schema', 'budget', 'session'] });
  const prompt = typeof said.q === 'string' ? said.q : toPrompt(asWritable(said));
  return { prompt, fields: { format, schema }, budget: readBudget(budget), session };
}

/** What `curl -d` sends, whatever it is: JSON where it is an object, fields where it has them, else words. */
function readForm(body: string, served: ServedAgent): SaidSo {
  if (isJsonObject(body)) return readJson(body, served);
  if (!hasField(body, ['q', 'text'])) return { prompt: body };
  const { q, text, session, ...fields } = readFields(body, ['q', 'text', 'format', 'schema', 'session']);
  if (q !== undefined && text !== undefined)
    throw new AgentError('request-invalid', 'q and text are the same: send one of them.');
  return { prompt: q ?? text ?? '', fields, session };
}

function isJsonObject(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** What is said in the address and in the body is said once. */
function merge(query: OutputFields, body: OutputFields = {}): OutputFields {
  const twice = (['format', 'schema'] as const).find((name) => query[name] !== undefined && body[name] !== undefined);
  if (twice) throw new AgentError('request-invalid', `${twice} is in the address and in the body: send it once.`);
  return { format: query.format ?? body.format, schema: query.schema ?? body.schema };
}
