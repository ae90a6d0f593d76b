// A call of a REST tool as the request it means.

import type { JsonObject } from '@ai-agent/core';
import { type HttpRequest, setHeader } from './http-request.ts';
import { fillText, isAbsent, textForm } from './placeholders.ts';
import type { RestConfig } from './read-rest-config.ts';
import { fillBody } from './rest-body.ts';
import { fillUrl } from './rest-url.ts';

/** Throws `tool-arguments-invalid` when arguments cannot be sent where they stand. */
export function toRestRequest(config: RestConfig, given: JsonObject): HttpRequest {
  const args = { ...config.defaults, ...given };
  const url = fillUrl(config.url, args);
  const headers = new Headers();
  for (const [name, template] of Object.entries(config.headers))
    if (!isAbsent(template, args)) setHeader(headers, name, fillText(template, args, textForm));
  const { method, bodyTemplate } = config;
  if (bodyTemplate === undefined || method === 'GET' || method === 'HEAD') return { method, url, headers };
  const body = fillBody(bodyTemplate, args, headers.get('content-type') ?? undefined);
  if (!body) return { method, url, headers };
  if (!headers.has('content-type')) headers.set('content-type', body.contentType);
  return { method, url, headers, body: body.text };
}
