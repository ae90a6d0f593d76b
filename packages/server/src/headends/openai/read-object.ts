// The body of a request to a model: one JSON object, which names the model.

import { AgentError, isObject } from '@ai-agent/core';
import { asWritable, parseJson } from '../../parse-json.ts';
import { readBody } from '../../read-body.ts';
import { missingField, wrongType } from './wrong-field.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Throws `request-invalid` and `request-too-large`. */
export async function readObject(request: Request, maxBytes: number): Promise<Fields> {
  const body = parseJson(await readBody(request, maxBytes), 'The body');
  if (!isObject(body)) throw new AgentError('request-invalid', 'The body must be a JSON object.');
  return asWritable(body);
}

/** Throws `request-invalid`. */
export function readModel({ model }: Fields): string {
  if (model === undefined || model === null || model === '')
    throw missingField('model', 'Send model: the name of an agent; GET /v1/models lists them.');
  if (typeof model !== 'string') throw wrongType('model', 'the name of an agent');
  return model;
}
