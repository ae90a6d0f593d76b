// A reader of requests for tests: takes them apart and holds them against a document, with Ajv and nothing of the sources.

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Heard } from './http-tools.ts';
import { type Decoded, type Doc, decodeValue, pairsOf, type SpecParameter, type Wire } from './openapi-decode.ts';

export interface Checked {
  readonly problems: readonly string[];
  /** What arrived, by place and name; the body under `body`. */
  readonly arrived: Readonly<Record<string, Decoded>>;
}

export class OpenapiChecker {
  readonly #document: Doc;
  readonly #basePath: string;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, validateSchema: false });

  constructor(document: Doc, basePath: string) {
    this.#document = document;
    this.#basePath = basePath;
    this.#ajv.addSchema(asRequestSchema(document) as Doc, 'doc');
  }

  async check({ method, target, headers, body }: Heard): Promise<Checked> {
    const [rawPath = '', ...rest] = target.split('?');
    const rawQuery = rest.join('?');
    const found = this.#route(method.toLowerCase(), rawPath);
    if (!found) return { problems: [`no operation ${method} ${target}`], arrived: {} };
    const cookies = pairsOf(String(headers.cookie ?? ''), '; ');
    const wire: Wire = { path: found.pieces, query: pairsOf(rawQuery, '&'), headers, cookies };
    const problems: string[] = [];
    const arrived: Record<string, Decoded> = {};
    for (const { parameter, pointer } of found.parameters) {
      const key = `${parameter.in} ${parameter.name}`;
      const value = decodeValue(parameter, follow(this.#document, parameter.schema ?? {}), wire);
      if (value !== undefined) {
        arrived[key] = value;
        problems.push(
          ...this.#complaints(`${pointer}/${parameter.content ? 'content/application~1json/' : ''}schema`, value, key),
        );
      } else if (parameter.required) problems.push(`${key} is missing`);
    }
    const unread = wire.query.filter((pair) => !pair.isRead).map(({ name }) => name);
    if (unread.length > 0) problems.push(`the query has ${unread.join(', ')}, which nobody asked for`);
    problems.push(...(await this.#checkBody(found, String(headers['content-type'] ?? ''), { body, arrived })));
    return { problems, arrived };
  }

  async #checkBody(
    found: Found,
    contentType: string,
    { body, arrived }: { body: Buffer; arrived: Record<string, Decoded> },
  ) {
    const requestBody = found.operation.requestBody as { required?: boolean; content: Doc } | undefined;
    if (body.length === 0) return requestBody?.required ? ['the body is missing'] : [];
    const mediaType = contentType.split(';')[0] ?? '';
    if (!requestBody || !Object.hasOwn(requestBody.content, mediaType))
      return [`no body of ${contentType} was asked for`];
    arrived.body = await readBody(mediaType, contentType, body);
    const pointer = `${found.pointer}/requestBody/content/${toPiece(mediaType)}/schema`;
    return this.#complaints(pointer, arrived.body, 'body');
  }

  #complaints(pointer: string, value: unknown, of: string): readonly string[] {
    const known = this.#ajv.getSchema(`doc#${pointer}`);
    if (!known) return [`${of}: nothing at ${pointer}`];
    return known(value) ? [] : [`${of} ${JSON.stringify(value)}: ${this.#ajv.errorsText(known.errors)}`];
  }

  #route(method: string, rawPath: string): Found | undefined {
    for (const [template, item] of Object.entries(this.#document.paths as Record<string, Doc>)) {
      const names = [...template.matchAll(/\{(.*?)\}/g)].map(([, name = '']) => name);
      const pattern = new RegExp(`^${template.replace(/\{.*?\}/g, '([^/]*)')}$`);
      const match = rawPath.startsWith(this.#basePath) ? pattern.exec(rawPath.slice(this.#basePath.length)) : null;
      const operation = item[method] as Doc | undefined;
      if (!match || !operation) continue;
      const at = `/paths/${toPiece(template)}`;
      const parameters = [
        ...this.#parameters(item.parameters, `${at}/parameters`),
        ...this.#parameters(operation.parameters, `${at}/${method}/parameters`),
      ];
      const pieces = new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
      return { operation, pointer: `${at}/${method}`, parameters, pieces };
    }
    return undefined;
  }

  #parameters(list: unknown, at: string): readonly FoundParameter[] {
    return ((list as readonly Doc[] | undefined) ?? []).map((given, index) => ({
      parameter: follow(this.#document, given) as unknown as SpecParameter,
      pointer: typeof given.$ref === 'string' ? given.$ref.slice(1) : `${at}/${index}`,
    }));
  }
}

interface FoundParameter {
  readonly parameter: SpecParameter;
  readonly pointer: string;
}

interface Found {
  readonly operation: Doc;
  readonly pointer: string;
  readonly parameters: readonly FoundParameter[];
  readonly pieces: ReadonlyMap<string, string>;
}

export function follow(document: Doc, node: Doc): Doc {
  if (typeof node.$ref !== 'string') return node;
  const found = node.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((here, key) => (here as Doc)[key], document);
  return follow(document, found as Doc);
}

function toPiece(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

async function readBody(mediaType: string, contentType: string, body: Buffer): Promise<Decoded> {
  if (mediaType.endsWith('json')) return JSON.parse(String(body)) as Decoded;
  if (mediaType === 'text/plain') return String(body);
  if (mediaType === 'application/octet-stream') return body.toString('base64');
  const form =
    mediaType === 'multipart/form-data'
      ? await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
      : new URLSearchParams(String(body));
  const fields: Record<string, Decoded> = {};
  for (const name of new Set(form.keys())) {
    const values = await Promise.all(
      form.getAll(name).map(async (one) => (typeof one === 'string' ? one : await one.text())),
    );
    fields[name] = name.endsWith('s') ? values : (values[0] ?? '');
  }
  return fields;
}

/** As a request may be: what is read-only must not come, and what version 3.0 says otherwise is said as JSON Schema does. */
function asRequestSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asRequestSchema);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, asRequestSchema(value)]));
  if (copy.nullable === true) copy.type = [copy.type, 'null'];
  if (copy.exclusiveMinimum === true) {
    copy.exclusiveMinimum = copy.minimum;
    delete copy.minimum;
  }
  const properties = (copy.properties ?? {}) as Record<string, Doc>;
  const closed = Object.keys(properties).filter((name) => properties[name]?.readOnly === true);
  for (const name of closed) (properties as Record<string, unknown>)[name] = false;
  if (Array.isArray(copy.required)) copy.required = copy.required.filter((name) => !closed.includes(name as string));
  return copy;
}
