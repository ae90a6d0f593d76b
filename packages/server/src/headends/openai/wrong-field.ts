// One field of a request that is wrong: OpenAI's errors name it, and say in a word of their own what is wrong with it.

import { AgentError, type AgentErrorOptions } from '@ai-agent/core';
import { toSafeFailure } from '../../failure-status.ts';
import { toOpenaiError } from './openai-error.ts';

/** Words of the API. */
export type FieldTrouble =
  | 'missing_required_parameter'
  | 'invalid_type'
  | 'invalid_value'
  | 'empty_array'
  | 'unsupported_value'
  | 'previous_response_not_found';

export interface WrongFieldOptions extends Pick<AgentErrorOptions, 'cause' | 'remedy'> {
  /** @default 'invalid_value' */
  readonly trouble?: FieldTrouble;
}

export class WrongField extends AgentError {
  /** Where it is: `messages[2].content`. */
  readonly param: string;
  readonly trouble: FieldTrouble;

  constructor(param: string, message: string, { trouble = 'invalid_value', ...options }: WrongFieldOptions = {}) {
    super('request-invalid', message, options);
    this.param = param;
    this.trouble = trouble;
  }
}

export function missingField(param: string, remedy = `Send ${param}.`): WrongField {
  return new WrongField(param, `${param} is missing.`, { trouble: 'missing_required_parameter', remedy });
}

/** `wanted` ends the sentence: `a list of messages`. */
export function wrongType(param: string, wanted: string): WrongField {
  return new WrongField(param, `${param} must be ${wanted}.`, { trouble: 'invalid_type' });
}

/** The same, for who says it in words of no API: `this must be text.` */
export function wrongExtension(param: string, what: string): WrongField {
  return new WrongField(param, `${param}: ${what}`);
}

/** Tells which field it is, when it is one; everything else is told where all errors are. */
export async function namingFields(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WrongField)) throw error;
    return toOpenaiError(toSafeFailure(error), { param: error.param, code: error.trouble });
  }
}
