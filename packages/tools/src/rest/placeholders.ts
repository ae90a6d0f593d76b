// `${parameters.x}` in a set-up: where a call's arguments go.

import { isObject, type Json, type JsonObject } from '@ai-agent/core';

const placeholder = /\$\{parameters\.([^{}\s]+)\}/g;
const onlyPlaceholder = /^\$\{parameters\.([^{}\s]+)\}$/;

/** The value of a name, or of a way of names like `user.id`. Nothing for what is not there, and for null. */
export function argumentOf(name: string, args: JsonObject): Json | undefined {
  const whole = rawArgumentOf(name, args);
  return whole === null ? undefined : whole;
}

function rawArgumentOf(name: string, args: JsonObject): Json | undefined {
  if (Object.hasOwn(args, name)) return args[name];
  let here: Json | undefined = args;
  for (const key of name.split('.')) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = (here as JsonObject)[key];
  }
  return here;
}

/** Every name that stands anywhere in a value. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(placeholder)].map(([, name = '']) => name);
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isObject(value) ? Object.entries(value).flat().flatMap(namesIn) : [];
}

/** Whether a text stands on arguments, and none of them is there: then it is left out. */
export function isAbsent(text: string, args: JsonObject): boolean {
  const names = namesIn(text);
  return names.length > 0 && names.every((name) => argumentOf(name, args) === undefined);
}

/** A text with its arguments in it, each written as `write` says; one that is not there is nothing. */
export function fillText(text: string, args: JsonObject, write: (value: Json) => string): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = argumentOf(name, args);
    return value === undefined ? '' : write(value);
  });
}

/** Texts as they are, everything else as JSON. */
export function textForm(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Plain data with the arguments in it. A text that is one placeholder becomes the value itself. Nothing when it is absent. */
export function fillTemplate(template: Json, args: JsonObject): Json | undefined {
  if (typeof template === 'string') return fillOne(template, args);
  if (Array.isArray(template))
    return (template as readonly Json[])
      .map((item) => fillTemplate(item, args))
      .filter((item): item is Json => item !== undefined);
  if (!isObject(template)) return template;
  const filled = Object.entries(template)
    .filter(([key]) => !isAbsent(key, args))
    .map(([key, part]) => [fillText(key, args, textForm), fillTemplate(part as Json, args)] as const);
  return Object.fromEntries(filled.filter((pair): pair is readonly [string, Json] => pair[1] !== undefined));
}

function fillOne(template: string, args: JsonObject): Json | undefined {
  const name = onlyPlaceholder.exec(template)?.[1];
  if (name !== undefined) return rawArgumentOf(name, args);
  return isAbsent(template, args) ? undefined : fillText(template, args, textForm);
}
