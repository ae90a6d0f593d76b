// A JSON Schema that comes with a request: it is compiled and run here, so it has to be small, and to come to an end.

import { AgentError, checkSchema, guardSchema, isObject, type JsonSchema, messageOf } from '@ai-agent/core';
import { isCostly } from './costly-pattern.ts';
import { withinTime } from './within-time.ts';

/** Compiling takes a hundredth of a millisecond for each letter, and everybody waits for it. */
export const schemaBounds = { letters: 32 * 1024, levels: 64, patterns: 64 } as const;

/** Throws `request-invalid`. */
export function checkClientSchema(schema: JsonSchema): void {
  checkSize(schema);
  boundClientSchema(schema);
  try {
    checkSchema(schema, 'schema');
  } catch (error) {
    throw new AgentError('request-invalid', messageOf(error), { cause: error });
  }
  checkPatterns(schema);
}

/** References can double what is to be done again and again, and some words take far longer than others. */
export function boundClientSchema(schema: JsonSchema): void {
  guardSchema(schema, (what, work) => withinTime(mostMs[what], work));
}

/** A few times what one takes that is good for something, also on a machine that is busy. */
const mostMs = { compile: 1_000, validate: 250 } as const;

function checkSize(schema: JsonSchema): void {
  const { letters, levels } = schemaBounds;
  if (isDeeper(schema, levels)) throw new AgentError('request-invalid', `The schema has more than ${levels} levels.`);
  const { length } = JSON.stringify(schema);
  if (length > letters)
    throw new AgentError('request-invalid', `The schema is ${length} letters long; at most ${letters} are taken.`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value) && !Array.isArray(value)) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** All of them together. */
const mostOfPatternsMs = 500;

function checkPatterns(schema: JsonSchema): void {
  const patterns = [...new Set(patternsIn(schema))];
  if (patterns.length > schemaBounds.patterns)
    throw new AgentError('request-invalid', `The schema has more than ${schemaBounds.patterns} patterns.`);
  const until = performance.now() + mostOfPatternsMs;
  const costly = patterns.find((pattern) => isCostly(pattern) || performance.now() > until);
  if (costly === undefined) return;
  throw new AgentError('request-invalid', `A pattern of the schema may take too long: ${costly.slice(0, 200)}`, {
    remedy: 'Do not repeat what is repeated already, as in (a+)+, and say how often: {1,64}.',
  });
}

/** Also where it is none, as in an example: that is tried in vain. */
function patternsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  if (!isObject(value)) return [];
  const { pattern, patternProperties } = value;
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isObject(patternProperties) ? Object.keys(patternProperties) : []),
    ...Object.values(value).flatMap(patternsIn),
  ];
}
