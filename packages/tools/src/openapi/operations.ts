// The operations of a document: what can be asked, where, and with what.

import { isObject } from '@ai-agent/core';
import { mediaTypeOf } from '../rest/read-body.ts';
import { follow, type Node } from './document.ts';

export const places = ['path', 'query', 'header', 'cookie'] as const;
export type ParameterPlace = (typeof places)[number];

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: unknown;
  readonly style: string;
  readonly isExploded: boolean;
  readonly allowsReserved: boolean;
  /** Written as JSON: it has this content type instead of a style. Any other one is text, as styles write it. */
  readonly isJson: boolean;
}

export interface Operation {
  /** `GET` */
  readonly method: string;
  /** `/pets/{id}` */
  readonly path: string;
  /** As it is called in the document, or made of method and path. Unique in the document after it was made safe. */
  readonly name: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** What is sent: never anything with GET and HEAD. */
  readonly body: Node | undefined;
  /** Alternatives; each is schemes that are needed together. */
  readonly security: readonly Node[];
  readonly servers: readonly unknown[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** In the order of the document. */
export function operationsOf(document: Node): readonly Operation[] {
  const found: Operation[] = [];
  for (const [path, item] of Object.entries(isObject(document.paths) ? document.paths : {})) {
    const pathItem = follow(document, item);
    if (!pathItem || !path.startsWith('/')) continue;
    for (const method of methods) {
      const operation = pathItem[method];
      if (isObject(operation)) found.push(toOperation({ document, path, pathItem, method, operation }));
    }
  }
  return found;
}

interface Place {
  readonly document: Node;
  readonly path: string;
  readonly pathItem: Node;
  readonly method: string;
  readonly operation: Node;
}

function toOperation({ document, path, pathItem, method, operation }: Place): Operation {
  const id = typeof operation.operationId === 'string' ? operation.operationId.trim() : '';
  const servers = [operation.servers, pathItem.servers, document.servers].find(isFilledList);
  return {
    method: method.toUpperCase(),
    path,
    name: id === '' ? `${method}_${path.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')}` : id,
    tags: Array.isArray(operation.tags) ? operation.tags.map(String) : [],
    description: describe(operation, method, path),
    parameters: parametersOf(document, pathItem.parameters, operation.parameters),
    body: isBodiless(method) ? undefined : follow(document, operation.requestBody),
    security: listOf(operation.security ?? document.security).filter(isObject),
    servers: servers ?? [],
  };
}

const maxDescription = 1000;

function isBodiless(method: string): boolean {
  return method === 'get' || method === 'head';
}

function describe({ summary, description, deprecated, requestBody }: Node, method: string, path: string): string {
  const texts = [...new Set([summary, description])].filter((text): text is string => typeof text === 'string');
  const whole = texts.map((text) => text.trim()).join('\n\n');
  const cut = whole.length > maxDescription ? `${whole.slice(0, maxDescription).toWellFormed()}…` : whole;
  const name = method.toUpperCase();
  const notes = [
    cut || `${name} ${path}`,
    ...(deprecated === true ? ['Deprecated: use another operation where there is one.'] : []),
    ...(isObject(requestBody) && isBodiless(method)
      ? [`The document describes a body for it, which is not sent with ${name}.`]
      : []),
  ];
  return notes.join('\n\n');
}

/** Those of the operation take the place of the path's. */
function parametersOf(document: Node, ofPath: unknown, ofOperation: unknown): readonly Parameter[] {
  const all = new Map<string, Parameter>();
  for (const given of [...listOf(ofPath), ...listOf(ofOperation)]) {
    const parameter = toParameter(follow(document, given));
    if (parameter) all.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...all.values()];
}

/** Of headers, these are said elsewhere in a document. */
const ownHeaders = ['accept', 'content-type', 'authorization'];

function toParameter(node: Node | undefined): Parameter | undefined {
  const place = places.find((one) => one === node?.in);
  if (!node || !place || typeof node.name !== 'string') return undefined;
  if (place === 'header' && ownHeaders.includes(node.name.toLowerCase())) return undefined;
  const style = typeof node.style === 'string' ? node.style : defaultStyles[place];
  const [contentType = '', content] = (isObject(node.content) ? Object.entries(node.content)[0] : undefined) ?? [];
  return {
    name: node.name,
    in: place,
    isRequired: node.required === true || place === 'path',
    description: typeof node.description === 'string' ? node.description : '',
    schema: isObject(content) ? content.schema : node.schema,
    style,
    isExploded: typeof node.explode === 'boolean' ? node.explode : style === 'form',
    allowsReserved: node.allowReserved === true,
    isJson: isObject(content) && /[/+]json$|\*$/.test(mediaTypeOf(contentType)),
  };
}

const defaultStyles: Readonly<Record<ParameterPlace, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFilledList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
