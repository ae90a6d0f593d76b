// An agent's question as a form for a person, and what was filled in as the answer to it.

import { isObject, type Json, type JsonObject, type JsonSchema, type Question } from '@ai-agent/core';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { type Field, type FieldWords, toField } from './form-field.ts';

export interface QuestionForm {
  readonly form: ElicitRequestFormParams;
  /** The answer; nothing when the form came back without one. */
  read(content: unknown): Json | undefined;
}

interface FormOptions extends FieldWords {
  /** What was wrong with the answer before. */
  readonly complaint?: string | undefined;
}

/** Who asks, and what, is in the message: clients show whose server it is, and nothing of what runs there. */
export function toQuestionForm(question: Question, { complaint, hasTitles }: FormOptions): QuestionForm {
  const { fields, required, beside = '', read } = toFields(question, { hasTitles });
  const { agentName, text } = question;
  // Nobody gives leave to what they have not seen.
  const whole = question.type === 'approval' ? beside : bounded(beside);
  const told = [bounded(complaint ?? ''), bounded(`${agentName} asks: ${text}`), whole];
  const message = told.filter((part) => part !== '').join('\n\n');
  return {
    form: { message, requestedSchema: { type: 'object', properties: fields, required: [...required] } },
    read: (content) => (isObject(content) ? read(content as JsonObject) : undefined),
  };
}

interface Fields {
  readonly fields: Record<string, Field>;
  readonly required: readonly string[];
  /** Said beside the question. */
  readonly beside?: string;
  read(content: JsonObject): Json | undefined;
}

function toFields(question: Question, words: FieldWords): Fields {
  const { type, choices, schema } = question;
  if (type === 'approval') return approval(question);
  if (choices) return single({ type: 'string', title: 'Answer', enum: [...choices] });
  if (!schema) return single({ type: 'string', title: 'Answer' });
  return flat(schema, words) ?? ofOne(schema, words) ?? asJson(schema);
}

/** The call that leave is asked for, where the question does not say all of it. */
export function unshownCall({ text, call }: Question): string | undefined {
  const args = JSON.stringify(call?.args ?? {});
  const isShown = !call || (bounded(text) === text && text.includes(call.tool) && text.includes(args));
  return isShown ? undefined : `Tool: ${call.tool}\nArguments: ${args}`;
}

function approval(question: Question): Fields {
  const beside = unshownCall(question);
  return {
    fields: {
      approved: { type: 'boolean', title: 'Approve', description: 'Whether it may be done' },
      reason: { type: 'string', title: 'Reason', description: 'Why, if you want to say so' },
    },
    required: ['approved'],
    ...(beside === undefined ? {} : { beside }),
    read: ({ approved, reason }) =>
      approved === undefined ? undefined : { isApproved: approved, reason: typeof reason === 'string' ? reason : '' },
  };
}

function single(field: Field): Fields {
  return { fields: { answer: field }, required: ['answer'], read: ({ answer }) => answer };
}

/** What else such a schema says may be about several fields at once: that is told as JSON. */
const plain = ['$schema', '$comment', 'type', 'title', 'description', 'properties', 'required', 'additionalProperties'];

/** An object of simple values: a field for each. */
function flat(schema: JsonSchema, words: FieldWords): Fields | undefined {
  const { type, properties, required = [] } = schema;
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required)) return undefined;
  if (Object.keys(schema).some((name) => !plain.includes(name))) return undefined;
  const fields = Object.entries(properties).map(([name, part]) => [name, toField(part, words)] as const);
  const names = required.map(String);
  const isWhole = fields.every(([, field]) => field) && names.every((name) => Object.hasOwn(properties, name));
  if (fields.length === 0 || !isWhole) return undefined;
  // Forms send what was left empty as empty text.
  const isLeft = ([name, value]: readonly [string, unknown]) => value === '' && !names.includes(name);
  return {
    fields: Object.fromEntries(fields) as Record<string, Field>,
    required: names,
    read: (content) => Object.fromEntries(Object.entries(content).filter((entry) => !isLeft(entry))),
  };
}

/** A simple value itself. */
function ofOne(schema: JsonSchema, words: FieldWords): Fields | undefined {
  const field = toField(schema, words);
  return field && single({ ...field, title: field.title ?? 'Answer' });
}

function asJson(schema: JsonSchema): Fields {
  const field: Field = { type: 'string', title: 'Answer', description: 'As JSON that fits the schema in the message' };
  return { ...single(field), beside: `The answer is JSON that fits this JSON Schema:\n${JSON.stringify(schema)}` };
}

/** Whoever asks may say much, and a person reads it in a small window. */
const mostLetters = 4_000;

function bounded(text: string): string {
  const letters = [...text.slice(0, mostLetters + 1)];
  return text.length <= mostLetters ? text : `${letters.slice(0, -1).join('')}…`;
}
