// Part of the page's script: examples. A value that a schema may take, and commands that can be pasted into a shell.

export const examples = String.raw`
/** The schema that a reference in the document leads to. */
function resolve(whole, schema) {
  let here = schema;
  for (let hops = 0; hops < 20 && here && typeof here === 'object' && typeof here.$ref === 'string'; hops++) {
    const name = here.$ref.replace('#/components/schemas/', '');
    const schemas = whole.components.schemas;
    const found = Object.hasOwn(schemas, name) ? schemas[name] : {};
    const { $ref, ...beside } = here;
    here = typeof found === 'object' ? { ...found, ...beside } : found;
  }
  return here && typeof here === 'object' ? here : {};
}

function typeOf(schema) {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type) return type;
  if (schema.properties) return 'object';
  return schema.items || schema.prefixItems ? 'array' : undefined;
}

/** What its author gave as an example, else something of the right shape. */
function exampleOf(whole, given, depth = 0) {
  const schema = resolve(whole, given);
  if (depth > 5) return null;
  for (const value of [schema.const, schema.example, (schema.examples || [])[0], schema.default, (schema.enum || [])[0]])
    if (value !== undefined) return value;
  const branch = (schema.oneOf || schema.anyOf || [])[0];
  if (branch !== undefined && !schema.properties) return exampleOf(whole, branch, depth + 1);
  const type = typeOf(schema);
  if (type === 'object' || schema.allOf) return objectOf(whole, schema, depth);
  if (type === 'array') {
    const items = schema.prefixItems || [schema.items === undefined ? {} : schema.items];
    return items.map((item) => exampleOf(whole, item, depth + 1));
  }
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return true;
  return type === 'null' ? null : textOf(schema);
}

function objectOf(whole, schema, depth) {
  const parts = (schema.allOf || []).map((part) => exampleOf(whole, part, depth + 1));
  const merged = parts.filter((part) => part && typeof part === 'object' && !Array.isArray(part));
  const required = new Set(schema.required || []);
  // Deep inside, only what must be there: a schema may hold itself.
  const wanted = Object.entries(schema.properties || {}).filter(([name]) => depth < 2 || required.has(name));
  const own = wanted.map(([name, part]) => [name, exampleOf(whole, part, depth + 1)]);
  return Object.fromEntries([...merged.flatMap(Object.entries), ...own]);
}

function numberOf({ minimum, exclusiveMinimum, maximum, multipleOf }) {
  const least = minimum !== undefined ? minimum : exclusiveMinimum !== undefined ? exclusiveMinimum + 1 : multipleOf || 1;
  return maximum !== undefined && least > maximum ? maximum : least;
}

function textOf({ format, minLength = 0 }) {
  const known = { date: '2026-01-31', 'date-time': '2026-01-31T12:00:00Z', time: '12:00:00Z', email: 'someone@example.com', uri: 'https://example.com/', uuid: '123e4567-e89b-12d3-a456-426614174000' };
  return (Object.hasOwn(known, format) ? known[format] : 'text').padEnd(minLength, '.');
}

/** One word for a shell, whatever is in it. */
function quote(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

function curl(needsKey, address, words) {
  const key = needsKey ? ['-H "Authorization: Bearer $AI_AGENT_KEY"'] : [];
  return ['curl ' + quote(address), ...key, ...words].join(' \\\n  ');
}

/** GET: a question in the address. */
function curlGet({ needsKey, address, question, format = '', schema = '' }) {
  const form = [['format', format], ['schema', schema]].filter(([, value]) => value.trim() !== '');
  const fields = [['q', question], ...form];
  const words = fields.map(([name, value]) => '--data-urlencode ' + quote(name + '=' + value));
  return curl(needsKey, address, ['-G ' + words[0], ...words.slice(1)]);
}

function curlPost({ needsKey, address, type, body }) {
  return curl(needsKey, address, ['-H ' + quote('Content-Type: ' + type), '--data-raw ' + quote(body)]);
}
`;
