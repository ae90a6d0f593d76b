// The check of middleware that somebody gives: what is wrong is named before anything runs.

import { checkFields, type FieldType, type Owner, wrongField } from './complaint.ts';
import { isObject } from './json.ts';
import type { Decide, Middleware, Perform } from './middleware.ts';

// Only remembers which layers were found right.
const checked = new WeakSet<object>();

const fields: Record<keyof Middleware, FieldType> = { name: 'text', decide: 'object', perform: 'object' };
const decideHooks: Record<keyof Decide, FieldType> = {
  turn: 'function',
  call: 'function',
  result: 'function',
  next: 'function',
  answer: 'function',
};
const performHooks: Record<keyof Perform, FieldType> = { model: 'function', tool: 'function', isForCached: 'boolean' };

/** Throws `agent-invalid`: also for a hook that would never be called, because nobody knows its name. */
export function checkMiddleware(owner: Owner, layers: unknown): void {
  if (layers === undefined) return;
  if (!Array.isArray(layers)) throw wrongField(owner, 'middleware', layers, 'a list of middleware');
  for (const [i, layer] of layers.entries()) {
    if (checked.has(layer)) continue;
    const field = `middleware[${i}]`;
    if (!isObject(layer)) throw wrongField(owner, field, layer, 'an object with a name, and decide or perform');
    checkFields(owner, layer, fields, `${field}.`);
    if (!layer.name) throw wrongField(owner, `${field}.name`, layer.name, 'text');
    checkFields(owner, layer.decide ?? {}, decideHooks, `${field}.decide.`);
    checkFields(owner, layer.perform ?? {}, performHooks, `${field}.perform.`);
    checked.add(layer);
  }
}
