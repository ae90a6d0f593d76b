// Which calls wait for an answer: the model's own question, and tools that need leave.

import { AgentError, messageOf, toFailure } from '../errors.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { Inquiry, Middleware, Refusal } from '../middleware.ts';
import { checkSchema } from '../schema.ts';
import { head } from '../text.ts';
import { shownName } from '../tool-names.ts';

export const questions: Middleware = {
  name: 'questions',
  decide: {
    call({ tool, call }, { ask }) {
      if (tool.asks === 'question') return brokenForm(call.args) ?? { inquiry: toQuestion(call.args, ask) };
      if (tool.asks !== 'approval') return undefined;
      const text = `May ${shownName(tool)} be called with ${head(JSON.stringify(call.args), 500)}?`;
      return { inquiry: { type: 'approval', text, to: 'person' } };
    },
  },
};

/** Nobody could answer it: the model that asks has to mend it first. */
function brokenForm({ schema }: JsonObject): Refusal | undefined {
  if (!isObject(schema)) return undefined;
  try {
    // Whoever asks may have it from anybody, and references can double what is to be done again and again.
    if (/"\$(?:dynamic|recursive)?ref":/i.test(JSON.stringify(schema)))
      throw new AgentError('schema-invalid', 'The form of the answer must not refer to anything: write it out.');
    checkSchema(schema, 'The form of the answer');
    return undefined;
  } catch (error) {
    return { refused: toFailure(new AgentError('tool-arguments-invalid', messageOf(error))) };
  }
}

function toQuestion(args: JsonObject, to: 'caller' | 'person'): Inquiry['inquiry'] {
  const { question, choices, schema } = args as Record<string, unknown>;
  return {
    type: 'question',
    text: String(question),
    to,
    ...(Array.isArray(choices) && choices.length > 0 ? { choices: choices.map(String) } : {}),
    ...(isObject(schema) ? { schema } : {}),
  };
}
