// Every key that a provider and its models may have: what each takes, and which never had an effect.

import { isObject } from '@ai-agent/core';
import { isTokenizer, tokenizerForms } from '../tokenizer.ts';
import {
  aboveZero,
  finite,
  type KeyRule,
  oneOf,
  text,
  trueOrFalse,
  wholeFromOne,
  wholeFromZero,
} from './config-problem.ts';

const object: KeyRule = { allowed: 'an object', fits: isObject };
const texts: KeyRule = {
  allowed: 'a text or a list of texts',
  fits: (value) => text.fits(value) || (Array.isArray(value) && value.every(text.fits)),
};
const level: KeyRule = {
  allowed: 'a text, a number, or a list of four of these, from minimal to high',
  fits: (value) => {
    const fits = (one: unknown) => text.fits(one) || finite.fits(one);
    return Array.isArray(value) ? value.length === 4 && value.every((one) => one === null || fits(one)) : fits(value);
  },
};
const tokenizer: KeyRule = { allowed: tokenizerForms, fits: (value) => text.fits(value) && isTokenizer(String(value)) };

function neverBuilt(rule: KeyRule): KeyRule {
  return { ...rule, idle: (value) => (isEmpty(value) ? undefined : 'has no effect, and never had') };
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

const shared: Readonly<Record<string, KeyRule>> = {
  contextWindow: wholeFromOne,
  toolChoice: oneOf('auto', 'required'),
  reasoning: level,
  tokenizer,
  contextWindowBufferTokens: wholeFromZero,
};

export const providerKeys: Readonly<Record<string, KeyRule>> = {
  type: text,
  baseUrl: text,
  apiKey: text,
  headers: object,
  supportsStructuredOutputs: trueOrFalse,
  models: object,
  ...shared,
  openaiMode: oneOf('chat', 'responses'),
  custom: object,
  reasoningValue: level,
  reasoningAutoStreamLevel: oneOf('minimal', 'low', 'medium', 'high'),
  stringSchemaFormatsAllowed: texts,
  stringSchemaFormatsDenied: texts,
  maxParallel: wholeFromOne,
  requestsPerMinute: aboveZero,
  tokensPerMinute: aboveZero,
  mergeStrategy: neverBuilt(text),
  toolsAllowed: neverBuilt(texts),
  toolsDenied: neverBuilt(texts),
};

export const modelKeys: Readonly<Record<string, KeyRule>> = {
  overrides: object,
  ...shared,
  interleaved: { allowed: 'a text, true or false', fits: (value) => text.fits(value) || trueOrFalse.fits(value) },
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
