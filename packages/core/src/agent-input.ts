// The input of an agent as the arguments of a tool: which schema callers see, and what reaches the agent.

import type { Agent, InputContract } from './agent.ts';
import { AgentError, type Failure, messageOf, toFailure } from './errors.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';
import { ownSchema, problemsOf, setAcceptedSchema } from './schema.ts';

export interface AgentInput {
  readonly schema: JsonSchema;
  /** The argument that says why; it becomes the title and never reaches the agent. */
  readonly titleFrom: string;
  read(args: JsonObject): Asked;
}

/** A call without what is meant for us. */
export interface Asked {
  readonly args: JsonObject;
  readonly prompt: string;
  /** The form of report the caller wants, if it said so. */
  readonly format?: Json | undefined;
  /** What a report in JSON has to satisfy, if it said so. */
  readonly schema?: Json | undefined;
}

export function anyText(usage: string | undefined): JsonSchema {
  const example = usage ? `. For example: ${usage}` : '';
  return {
    type: 'object',
    properties: {
      text: { type: 'string', description: `What you ask, in words${example}` },
      json: { description: 'What you ask, as data' },
    },
    additionalProperties: true,
  };
}

const anyJson: JsonSchema = {
  type: 'object',
  properties: { json: { description: 'What you ask, as data' } },
  required: ['json'],
};

/** What callers may say beside what they ask. Each is called so, or with an underscore before it where the agent has the name. */
export type Offer = 'reason' | 'format' | 'schema' | 'resume';

interface AgentInputOptions {
  readonly offers: readonly Offer[];
  /** Arguments beside the agent's own that the schema requires, `reason` apart, which always is. @default none */
  readonly requires?: readonly Offer[];
  /** Of the arguments of an agent that takes words. @default text, or data, or anything */
  readonly words?: JsonSchema;
  /** Of what is offered, where something else is to be said of it than usual. */
  readonly about?: Readonly<Partial<Record<Exclude<Offer, 'resume'>, JsonSchema>>>;
  /** Whether a schema may have alternatives at its root: not everybody takes such arguments. @default true */
  readonly mayBranch?: boolean;
}

export function toAgentInput({ format, schema: own }: InputContract, options: AgentInputOptions): AgentInput {
  const { offers, requires = [], words = anyText(undefined), about = {}, mayBranch = true } = options;
  const isBranching = own !== undefined && !mayBranch && branching.some((key) => key in own);
  const isWrapped = own !== undefined && (isBranching || !isPlainObjectSchema(own, offers));
  const base = own === undefined ? (format === 'json' ? anyJson : words) : isWrapped ? wrap(own) : own;
  const properties = (base.properties ?? {}) as Record<string, unknown>;
  const taken = namesIn(base);
  const nameOf = (offer: Offer) => (taken.has(offer) ? `_${offer}` : offer);
  const titleFrom = nameOf('reason');
  const demanded = offers.filter((offer) => offer === 'reason' || requires.includes(offer));
  const required = [...((base.required ?? []) as string[]), ...demanded.map(nameOf)];
  const added = Object.assign({}, ...offers.map((offer) => argumentsOf(offer, nameOf(offer), about)));
  const schema = {
    ...base,
    properties: { ...properties, ...added },
    ...(required.length > 0 || 'required' in base ? { required } : {}),
  };
  const toPromptOf = (args: JsonObject) => {
    if (own !== undefined) return JSON.stringify(isWrapped ? (args.input ?? null) : args);
    return format === 'json' ? JSON.stringify(args.json ?? null) : toPrompt(args);
  };
  const shown = own === undefined ? ownSchema(schema) : schema;
  if (own === undefined && format !== 'json')
    // A text that is no string falls through to the other arguments.
    setAcceptedSchema(shown, ownSchema({ ...schema, properties: { ...schema.properties, text: {} } }));
  return {
    schema: shown,
    titleFrom,
    read(all) {
      const args = { ...all };
      const take = (offer: Offer) => {
        if (!offers.includes(offer)) return undefined;
        const { [nameOf(offer)]: said } = args;
        delete args[nameOf(offer)];
        return said;
      };
      take('reason');
      const asked = { format: take('format'), schema: take('schema') };
      return { args, prompt: toPromptOf(args), ...asked };
    },
  };
}

function argumentsOf(
  offer: Offer,
  name: string,
  about: NonNullable<AgentInputOptions['about']>,
): Record<string, JsonSchema> {
  if (offer === 'resume') return resumption;
  return { [name]: about[offer] ?? single[offer] };
}

const single: Readonly<Record<Exclude<Offer, 'resume'>, JsonSchema>> = {
  reason: { type: 'string', description: 'Why you call this now: one short line for people' },
  format: {
    type: 'string',
    enum: ['text', 'markdown', 'json'],
    description: 'The form of the answer, if you need a certain one',
  },
  schema: {
    type: 'object',
    description: 'With format json: the JSON Schema that the answer has to satisfy',
    additionalProperties: true,
  },
};

/** The door lets these through by themselves, whatever else the schema requires. */
const resumption: Record<string, JsonSchema> = {
  resume: { type: 'string', description: 'Only to answer a question of this agent: the handle it gave' },
  answer: { description: 'With resume: the answer' },
};

/** A string `text` or `prompt` as it is, else `json`, else all arguments as JSON, else nothing. */
export function toPrompt(args: JsonObject): string {
  if (typeof args.text === 'string') return args.text;
  if (typeof args.prompt === 'string') return args.prompt;
  if ('json' in args)
    return isObject(args.json) || Array.isArray(args.json) ? JSON.stringify(args.json) : String(args.json);
  return Object.keys(args).length > 0 ? JSON.stringify(args) : '';
}

/** Only such a schema can take our arguments beside its own; in others a branch, a pattern or a reference might forbid them. */
function isPlainObjectSchema(schema: JsonSchema, offers: readonly Offer[]): boolean {
  if (schema.type !== 'object' || refersToItself(schema) || closing.some((key) => key in schema)) return false;
  const taken = namesIn(schema);
  if (offers.some((offer) => taken.has(offer) && taken.has(`_${offer}`))) return false;
  // A curriculum vitae is not the handle of a question, and what an exam is about not the answer to one.
  if (taken.has('resume') || (offers.includes('resume') && taken.has('answer'))) return false;
  const branches = JSON.stringify(branching.map((key) => schema[key] ?? null));
  return ![...closing, 'additionalProperties'].some((key) => branches.includes(`"${key}":`));
}

/** Of the arguments that it has itself: one may also be required without a word about it. */
function namesIn({ properties, required }: JsonSchema): ReadonlySet<string> {
  const described = isObject(properties) ? Object.keys(properties) : [];
  return new Set([...described, ...(Array.isArray(required) ? required.map(String) : [])]);
}

const closing = [
  '$ref',
  '$id',
  'enum',
  'const',
  'not',
  'patternProperties',
  'maxProperties',
  'propertyNames',
  'unevaluatedProperties',
];
const branching = ['oneOf', 'anyOf', 'allOf', 'if', 'then', 'else', 'dependentSchemas'];

/** Whether it has references to anything but its own definitions. */
function refersToItself(schema: JsonSchema): boolean {
  return /"\$(?:ref|dynamicRef|recursiveRef)":"(?!#\/(?:\$defs|definitions)\/)/.test(JSON.stringify(schema));
}

/** Definitions move to the new root, where their references look for them; a schema that refers to itself stays whole. */
function wrap(schema: JsonSchema): JsonSchema {
  const { $schema, $defs, definitions, ...inner } = schema;
  const isWhole = refersToItself(schema) || '$id' in schema;
  const { $schema: _dialect, ...whole } = schema;
  const input = isWhole ? { $id: 'urn:ai-agent:input', ...whole } : inner;
  const moved = Object.entries({ $schema, ...(isWhole ? {} : { $defs, definitions }) }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(moved), type: 'object', properties: { input }, required: ['input'] };
}

/** Why a prompt does not keep the agent's input contract. */
export function inputFailure({ name, input }: Agent, prompt: string): Failure | undefined {
  if (input?.format !== 'json') return undefined;
  const problems = inputProblems(input, prompt);
  if (problems.length === 0) return undefined;
  return toFailure(
    new AgentError('session-input-invalid', `The input of ${name} does not fit: ${problems.join('; ')}.`),
  );
}

function inputProblems({ schema }: InputContract, prompt: string): readonly string[] {
  try {
    return problemsOf(schema, JSON.parse(prompt));
  } catch (error) {
    return [`it is not JSON (${messageOf(error)})`];
  }
}
