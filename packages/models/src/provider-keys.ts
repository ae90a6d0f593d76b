// Every key that a provider and its models may have: what each takes, and which have no effect yet.

import { isObject } from '@ai-agent/core';
import { finite, type KeyRule, oneOf, text, trueOrFalse, wholeFromOne } from './config-problem.ts';

const object: KeyRule = { allowed: 'an object', fits: isObject };
const texts: KeyRule = {
  allowed: 'a text or a list of texts',
  fits: (value) => text.fits(value) || (Array.isArray(value) && value.every(text.fits)),
};
const level: KeyRule = {
  allowed: 'a text, a number or a list of these',
  fits: (value) => [value].flat().every((one) => one === null || text.fits(one) || finite.fits(one)),
};

function notBuilt(rule: KeyRule): KeyRule {
  return { ...rule, idle: (value) => (isEmpty(value) ? undefined : 'is not built yet and has no effect') };
}

function neverBuilt(rule: KeyRule): KeyRule {
  return { ...rule, idle: (value) => (isEmpty(value) ? undefined : 'has no effect, and never had') };
}

/** One of the values is what we do anyway. */
function notBuiltUnless(rule: KeyRule, builtIn: string): KeyRule {
  const idle = (value: unknown) => (value === builtIn ? undefined : `is not built yet; it works as with ${builtIn}`);
  return { ...rule, idle };
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

const shared: Readonly<Record<string, KeyRule>> = {
  contextWindow: wholeFromOne,
  toolChoice: notBuiltUnless(oneOf('auto', 'required'), 'auto'),
  reasoning: notBuilt(level),
  tokenizer: notBuiltUnless(text, 'approximate'),
  contextWindowBufferTokens: notBuilt(finite),
};

export const providerKeys: Readonly<Record<string, KeyRule>> = {
  type: text,
  baseUrl: text,
  apiKey: text,
  headers: object,
  supportsStructuredOutputs: trueOrFalse,
  models: object,
  ...shared,
  openaiMode: notBuiltUnless(oneOf('chat', 'responses'), 'chat'),
  custom: notBuilt(object),
  reasoningValue: notBuilt(level),
  reasoningAutoStreamLevel: notBuilt(text),
  stringSchemaFormatsAllowed: notBuilt(texts),
  stringSchemaFormatsDenied: notBuilt(texts),
  mergeStrategy: neverBuilt(text),
  toolsAllowed: neverBuilt(texts),
  toolsDenied: neverBuilt(texts),
};

export const modelKeys: Readonly<Record<string, KeyRule>> = {
  overrides: object,
  ...shared,
  interleaved: notBuilt({
    allowed: 'a text, true or false',
    fits: (value) => text.fits(value) || trueOrFalse.fits(value),
  }),
};

/** In both spellings that people use. Null is a value here: the setting is not sent. */
export const overrideKeys: Readonly<Record<string, 'temperature' | 'topP' | 'topK' | 'repeatPenalty'>> = {
  temperature: 'temperature',
  top_p: 'topP',
  topP: 'topP',
  top_k: 'topK',
  topK: 'topK',
  repeat_penalty: 'repeatPenalty',
  repeatPenalty: 'repeatPenalty',
};
