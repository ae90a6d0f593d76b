// What a model is asked for to call an operation, and where each argument goes.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { follow, type Node } from './document.ts';
import { type BodyType, bodyTypeOf } from './media-type.ts';
import { type Operation, type Parameter, places } from './operations.ts';
import type { Converted, RequestSchemas } from './request-schema.ts';

export interface CallShape {
  readonly inputSchema: JsonSchema;
  /** By the name of the argument. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly body: BodyType | undefined;
  /** Fields of a multipart body that are files. */
  readonly files: ReadonlySet<string>;
}

/** The body is one argument of its own, `body`; two parameters of one name are told apart by their places. */
export function toCallShape(operation: Operation, schemas: RequestSchemas, document: Node): CallShape {
  const properties: (readonly [string, unknown])[] = [];
  const required: string[] = [];
  const uses = new Set<string>();
  const add = (name: string, { schema, uses: more }: Converted, isRequired: boolean) => {
    properties.push([name, schema]);
    if (isRequired) required.push(name);
    for (const one of more) uses.add(one);
  };
  const body = operation.body && bodyTypeOf(operation.body);
  const parameters = nameParameters(operation.parameters, body !== undefined);
  for (const [name, parameter] of parameters)
    add(name, described(schemas.convert(parameter.schema), aboutParameter(parameter)), parameter.isRequired);
  const files = body?.kind === 'multipart' ? filesIn(body.schema, document) : new Set<string>();
  if (body) {
    const converted = bodySchema(body, files, { schemas, document });
    const { description, required: isRequired } = operation.body ?? {};
    add('body', described(converted, typeof description === 'string' ? description : ''), isRequired === true);
  }
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
  const $defs = uses.size === 0 ? undefined : schemas.definitions(uses);
  return { inputSchema: $defs ? { ...inputSchema, $defs } : inputSchema, parameters, body, files };
}

function nameParameters(parameters: readonly Parameter[], hasBody: boolean): ReadonlyMap<string, Parameter> {
  const named = new Map<string, Parameter>();
  const isTaken = (name: string) => named.has(name) || (hasBody && name === 'body');
  for (const place of places)
    for (const parameter of parameters.filter((one) => one.in === place)) {
      const wished = toArgumentName(parameter.name) || place;
      let name = isTaken(wished) ? `${wished}_${place}` : wished;
      while (isTaken(name)) name = `${name}_`;
      named.set(name, parameter);
    }
  return named;
}

/** Some providers take no other letters in the names of arguments: `filter[from]` is `filter_from` to models. */
function toArgumentName(name: string): string {
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(name)) return name;
  return name
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50);
}

function aboutParameter({ name, description }: Parameter): string {
  return toArgumentName(name) === name ? description : `${description} (Sent as ${name})`.trim();
}

const maxDescription = 500;

function described({ schema, uses }: Converted, description: string): Converted {
  if (description === '' || typeof schema === 'boolean') return { schema, uses };
  const text =
    description.length > maxDescription ? `${description.slice(0, maxDescription).toWellFormed()}…` : description;
  return { schema: { ...schema, description: text }, uses };
}

interface Setting {
  readonly schemas: RequestSchemas;
  readonly document: Node;
}

const base64Schema = { type: 'string', contentEncoding: 'base64', description: 'The bytes, as base64.' };

const fileSchema = {
  anyOf: [
    { type: 'string', contentEncoding: 'base64', description: 'The file, as base64.' },
    {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'The file, if it is text; or else base64.' },
        base64: { type: 'string' },
        filename: { type: 'string' },
        contentType: { type: 'string' },
      },
      additionalProperties: false,
    },
  ],
};

function bodySchema(body: BodyType, files: ReadonlySet<string>, { schemas, document }: Setting): Converted {
  if (body.kind === 'binary') return { schema: base64Schema, uses: new Set() };
  if (body.kind === 'text') return textSchema(schemas.convert(body.schema), follow(document, body.schema));
  if (files.size === 0) return schemas.convert(body.schema);
  const { schema, uses } = schemas.convert(follow(document, body.schema));
  if (typeof schema === 'boolean' || !isObject(schema.properties)) return { schema, uses };
  const properties = Object.entries(schema.properties).map(([name, given]) => {
    if (!files.has(name)) return [name, given] as const;
    return [name, isObject(given) && given.type === 'array' ? { ...given, items: fileSchema } : fileSchema] as const;
  });
  return { schema: { ...schema, properties: Object.fromEntries(properties) }, uses };
}

/** What is sent as text is asked for as text, also where the document describes an XML object. */
function textSchema(converted: Converted, schema: Node | undefined): Converted {
  return schema?.type === 'string' ? converted : { schema: { type: 'string' }, uses: new Set() };
}

/** Also of the schemas that a schema is made of. */
function filesIn(schema: unknown, document: Node, depth = 5): ReadonlySet<string> {
  const { properties, allOf } = follow(document, schema) ?? ({} as Node);
  const fields = Object.entries(isObject(properties) ? properties : {});
  const own = fields.filter(([, field]) => isFile(follow(document, field), document)).map(([name]) => name);
  const parts = Array.isArray(allOf) && depth > 0 ? allOf : [];
  return new Set([...own, ...parts.flatMap((part) => [...filesIn(part, document, depth - 1)])]);
}

function isFile(schema: Node | undefined, document: Node): boolean {
  if (!schema) return false;
  if (schema.type === 'array') return isFile(follow(document, schema.items), document);
  // Since 3.1 bytes are a media type, and no type of JSON.
  return (
    schema.format === 'binary' || (typeof schema.contentMediaType === 'string' && schema.contentEncoding === undefined)
  );
}
