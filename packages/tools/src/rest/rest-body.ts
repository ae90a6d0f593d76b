// The body of a REST tool's request: a template, written as its content type says.

import { isObject, type Json, type JsonObject } from '@ai-agent/core';
import { encodePiece } from './http-request.ts';
import { fillTemplate, fillText, namesIn, textForm } from './placeholders.ts';
import { fillPairs } from './rest-url.ts';

export interface RestBody {
  readonly text: string;
  readonly contentType: string;
}

/** Nothing when the template comes to nothing. */
export function fillBody(template: Json, args: JsonObject, contentType = 'application/json'): RestBody | undefined {
  const text = writeBody(template, args, contentType);
  return text === undefined ? undefined : { text, contentType };
}

function writeBody(template: Json, args: JsonObject, contentType: string): string | undefined {
  const mediaType = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  if (/[/+]json$/.test(mediaType)) {
    const parsed = typeof template === 'string' ? parseJsonTemplate(template) : template;
    const value = fillTemplate(parsed === undefined ? template : parsed, args);
    return value === undefined ? undefined : JSON.stringify(value);
  }
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  if (typeof template === 'string' && !isOnePlaceholder(template))
    return isForm ? fillPairs(template, args, encodePiece) : fillText(template, args, textForm);
  const value = fillTemplate(template, args);
  if (value === undefined) return undefined;
  return isForm ? toForm(value) : textForm(value);
}

function isOnePlaceholder(template: string): boolean {
  return /^\$\{[^{}]*\}$/.test(template) && namesIn(template).length === 1;
}

/** JSON that was written as text is read first, so that no argument can break out of its place in it. Nothing for what is none. */
function parseJsonTemplate(template: string): Json | undefined {
  if (isOnePlaceholder(template)) return template;
  const quoted = template.replace(/"(?:[^"\\]|\\.)*"|\$\{parameters\.[^{}\s]+\}/g, (piece) =>
    piece.startsWith('"') ? piece : `"${piece}"`,
  );
  try {
    return JSON.parse(quoted) as Json;
  } catch {
    return undefined;
  }
}

/** Whether somebody meant JSON and wrote none, whatever the variables are: it would be sent as one text. */
export function isBrokenJson(template: string): boolean {
  return /^\s*[{[]/.test(template) && parseJsonTemplate(template.replace(/\$\{\w+\}/g, '1')) === undefined;
}

/** The fields of an object; a list is a field several times, what is deeper is JSON. */
function toForm(value: Json): string {
  if (!isObject(value)) return textForm(value);
  const pairs = Object.entries(value as JsonObject).flatMap(([name, field]) =>
    (Array.isArray(field) ? (field as readonly Json[]) : [field as Json]).map((one) => [name, textForm(one)] as const),
  );
  return pairs.map(([name, text]) => `${encodePiece(name)}=${encodePiece(text)}`).join('&');
}
