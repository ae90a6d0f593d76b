// What a field takes, in a few words beside its help.

import type { Field, NumberField, TextField } from './field.ts';

export function limitsOf(field: Field): string {
  if (field.type === 'number') return limitsOfNumber(field);
  if (field.type === 'text') return limitsOfText(field);
  if (field.type === 'list' || field.type === 'some-of')
    return range(field.min > 0 ? field.min : undefined, finite(field.max), 'entries');
  return '';
}

function limitsOfNumber({ isInteger, min, max, isAboveMin, isBelowMax, step }: NumberField): string {
  const low = min === undefined ? '' : isAboveMin ? `more than ${min}` : `${min} or more`;
  const high = max === undefined ? '' : isBelowMax ? `less than ${max}` : `at most ${max}`;
  const isPlain = min !== undefined && max !== undefined && !isAboveMin && !isBelowMax;
  const steps = step === undefined || (isInteger && step === 1) ? '' : `in steps of ${step}`;
  const parts = [isPlain ? `${min} to ${max}` : [low, high].filter(Boolean).join(', '), steps];
  return toSentence([isInteger && parts.join('') === '' ? 'a whole number' : '', ...parts]);
}

function limitsOfText({ minLength = 0, maxLength }: TextField): string {
  return range(minLength > 1 ? minLength : undefined, maxLength, 'characters');
}

function range(min: number | undefined, max: number | undefined, noun: string): string {
  if (min !== undefined && max !== undefined) return min === max ? `${min} ${noun}.` : `${min} to ${max} ${noun}.`;
  if (min !== undefined) return `At least ${min} ${noun}.`;
  return max === undefined ? '' : `At most ${max} ${noun}.`;
}

function finite(max: number): number | undefined {
  return Number.isFinite(max) ? max : undefined;
}

function toSentence(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== '').join(', ');
  return words === '' ? '' : `${words[0]?.toUpperCase()}${words.slice(1)}.`;
}
