// JSON Schemas of users, compiled once per definition, with complaints a model can act on.

import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import dialects from './ajv.cjs';
import { AgentError, messageOf } from './errors.ts';
import type { JsonSchema } from './json.ts';

/** Complaints beyond this many are counted, not told. */
const maxProblems = 10;

/** What is wrong with a value; an empty list when it satisfies the schema, or when there is none. */
export function problemsOf(schema: JsonSchema | undefined, value: unknown): readonly string[] {
  if (!schema) return [];
  const validate = compile(schema);
  if (isValid(schema, validate, value)) return [];
  const problems = [...new Set((validate.errors ?? []).map(toSentence))];
  const rest = problems.length - maxProblems;
  return rest > 0 ? [...problems.slice(0, maxProblems), `and ${rest} more of the kind`] : problems;
}

/** A schema may lead back to itself for ever, and a value may be nested deeper than anybody can look. */
function isValid(schema: JsonSchema, validate: ValidateFunction, value: unknown): boolean {
  const within = guards.get(schema) ?? plainly;
  try {
    return within('validate', () => validate(value) as boolean);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    validate.errors = [endless];
    return false;
  }
}

const tooDeep = 'it is nested too deeply, or leads back to itself without end, or takes too long';

const endless: ErrorObject = {
  ...{ instancePath: '', schemaPath: '', keyword: 'endless', params: {} },
  message:
    'cannot be checked: it is nested too deeply, or the schema leads back to itself without end, or takes too long',
};

/** Does the work, or throws a `RangeError` when that takes too long. */
export type Guard = <T>(what: 'compile' | 'validate', work: () => T) => T;

const plainly: Guard = (_what, work) => work();

// Only remembers who wrote them.
const guards = new WeakMap<JsonSchema, Guard>();

/** A schema of somebody who is not trusted: a short one can take for ever, and only the host can stop it. */
export function guardSchema(schema: JsonSchema, guard: Guard): void {
  guards.set(schema, guard);
}

// Only remembers which are ours.
const own = new WeakSet<JsonSchema>();

/** A schema that we wrote and know to be good: it is compiled when a value comes, not while everything starts. */
export function ownSchema(schema: JsonSchema): JsonSchema {
  own.add(schema);
  return schema;
}

/** Throws `schema-invalid` when the schema itself is broken. */
export function checkSchema(schema: JsonSchema, owner: string): void {
  if (own.has(schema)) return;
  try {
    const validate = compile(schema);
    if (!isValid(schema, validate, null) && validate.errors?.[0] === endless) throw new RangeError();
  } catch (error) {
    const reasons = error instanceof RangeError ? tooDeep : reasonsIn(messageOf(error)).slice(0, 3).join(', ');
    throw new AgentError('schema-invalid', `${owner} is not a valid JSON Schema: ${reasons}`, { cause: error });
  }
}

/** One for each place: what is said besides are other ways in which it could have been right. */
function reasonsIn(message: string): readonly string[] {
  const clauses = message.replace(/^schema is invalid: /, '').split(/, (?=data\/)/);
  const places = clauses.map((clause) => clause.split(' ', 1)[0]);
  return clauses.filter((_, i) => places.indexOf(places[i]) === i).map((clause) => clause.replace(/^data\//, ''));
}

// Pure: the same schema always compiles to the same validator. By the definition itself, and by its text for
// definitions that came through a journal; the second is bounded.
const byDefinition = new WeakMap<JsonSchema, ValidateFunction>();
const byText = new Map<string, ValidateFunction>();

function compile(schema: JsonSchema): ValidateFunction {
  const known = byDefinition.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  const validate = byText.get(text) ?? compileWithin(schema);
  if (byText.size >= 1000) byText.clear();
  byText.set(text, validate);
  byDefinition.set(schema, validate);
  return validate;
}

function compileWithin(schema: JsonSchema): ValidateFunction {
  const guard = guards.get(schema);
  if (!guard) return compileNew(schema);
  // Whatever is loaded must not be stopped half-way.
  for (const dialect of Object.keys(dialects) as Dialect[]) compilerOf(dialect);
  try {
    return guard('compile', () => compileNew(schema));
  } catch (error) {
    // One that was stopped in the middle of its work is not used again.
    if (error instanceof RangeError) compilers.clear();
    throw error;
  }
}

/** A schema that does not say its dialect is read as 2020-12, and where that fails as draft 7, which most people write. */
function compileNew({ $schema, $async, ...schema }: JsonSchema): ValidateFunction {
  const dialect = typeof $schema === 'string' ? $schema : '';
  if (/draft-0[4-7]/.test(dialect)) return compileBy('draft7', schema);
  if (dialect.includes('2019-09')) return compileBy('draft2019', schema);
  try {
    return compileBy('draft2020', schema);
  } catch (error) {
    if (dialect !== '') throw error;
    return compileBy('draft7', schema);
  }
}

type Dialect = keyof typeof dialects;

const compilers = new Map<Dialect, Pick<Ajv, 'compile' | 'removeSchema'>>();

function compileBy(dialect: Dialect, schema: JsonSchema): ValidateFunction {
  const compiler = compilerOf(dialect);
  try {
    return compiler.compile(schema);
  } finally {
    // Two users' schemas with one $id must not meet, and nothing is kept of either but its validator.
    compiler.removeSchema(schema);
    if (typeof schema.$id === 'string') compiler.removeSchema(schema.$id);
  }
}

function compilerOf(dialect: Dialect): Pick<Ajv, 'compile' | 'removeSchema'> {
  const compiler = compilers.get(dialect) ?? dialects[dialect]();
  compilers.set(dialect, compiler);
  return compiler;
}

function toSentence(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the value' : `"${error.instancePath.slice(1).replaceAll('/', '.')}"`;
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required') return `${where} lacks "${params.missingProperty}"`;
  if (error.keyword === 'additionalProperties')
    return `${where} has "${params.additionalProperty}", which is not allowed`;
  if (error.keyword === 'enum') return `${where} must be one of ${JSON.stringify(params.allowedValues)}`;
  if (error.keyword === 'const') return `${where} must be ${JSON.stringify(params.allowedValue)}`;
  return `${where} ${error.message ?? 'does not fit the schema'}`;
}

// Keyed by the schema that models are shown.
const accepted = new WeakMap<JsonSchema, JsonSchema>();

export function setAcceptedSchema(shown: JsonSchema, schema: JsonSchema): void {
  accepted.set(shown, schema);
}

/** The schema that arguments must satisfy, where that is less than models are shown. */
export function acceptedSchemaOf(shown: JsonSchema): JsonSchema | undefined {
  return accepted.get(shown);
}
