// Part of the page's script: a schema as fields that people can read.

export const fields = `
/** A list of fields, or a sentence where there are none. */
function describe(whole, schema) {
  const list = fieldsOf(whole, schema, []);
  if (list) return list;
  const plain = resolve(whole, schema);
  return make('p', {}, Object.keys(plain).length === 0 ? 'Any JSON.' : typeText(whole, plain));
}

function fieldsOf(whole, given, above) {
  const schema = resolve(whole, given);
  if (above.length > 6 || above.includes(schema.properties || schema)) return undefined;
  const inside = [...above, schema.properties || schema];
  const rows = [
    ...Object.entries(schema.properties || {}).map(([name, part]) => field({ whole, name, part, must: (schema.required || []).includes(name), inside })),
    ...['allOf', 'oneOf', 'anyOf'].flatMap((word) => branches(whole, schema, word, inside)),
  ];
  if (rows.length > 0) return make('ul', { class: 'fields' }, rows);
  return schema.items && typeof schema.items === 'object' ? fieldsOf(whole, schema.items, inside) : undefined;
}

function field({ whole, name, part, must, inside }) {
  const schema = resolve(whole, part);
  return make('li', {},
    make('code', { class: 'name' }, name),
    make('span', { class: 'type' }, typeText(whole, schema)),
    must ? make('span', { class: 'must' }, 'required') : '',
    typeof schema.description === 'string' ? make('p', {}, schema.description) : '',
    fieldsOf(whole, part, inside));
}

function branches(whole, schema, word, inside) {
  const list = Array.isArray(schema[word]) ? schema[word] : [];
  const titles = { allOf: 'and', oneOf: 'either', anyOf: 'any of' };
  return list.map((part, i) => {
    const branch = resolve(whole, part);
    const title = word === 'oneOf' && i > 0 ? 'or' : titles[word];
    const about = typeof branch.description === 'string' ? make('p', {}, branch.description) : '';
    return make('li', {}, make('span', { class: 'type' }, title + ' ' + typeText(whole, branch)), about, fieldsOf(whole, part, inside));
  });
}

/** list of text, from 1 to 5; one of "a", "b" */
function typeText(whole, schema) {
  const words = { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', array: 'list', object: 'object', null: 'null' };
  const types = [schema.type || typeOf(schema) || []].flat().map((type) => words[type] || String(type));
  const item = schema.items && typeof schema.items === 'object' ? resolve(whole, schema.items) : undefined;
  const ofItem = item && typeOf(item) ? ' of ' + (words[typeOf(item)] || typeOf(item)) : '';
  return [types.join(' or ') + ofItem, ...boundsOf(schema)].filter((text) => text !== '').join(', ') || (schema.oneOf || schema.anyOf || schema.allOf ? '' : 'anything');
}

function boundsOf(schema) {
  const show = (value) => JSON.stringify(value);
  return [
    ['const', (value) => 'always ' + show(value)],
    ['enum', (value) => 'one of ' + [value].flat().map(show).join(', ')],
    ['format', String],
    ['pattern', (value) => 'like ' + value],
    ['minimum', (value) => 'from ' + value],
    ['exclusiveMinimum', (value) => 'above ' + value],
    ['maximum', (value) => 'to ' + value],
    ['exclusiveMaximum', (value) => 'below ' + value],
    ['minLength', (value) => 'at least ' + value + ' letters'],
    ['maxLength', (value) => 'at most ' + value + ' letters'],
    ['minItems', (value) => 'at least ' + value],
    ['maxItems', (value) => 'at most ' + value],
    ['default', (value) => 'by default ' + show(value)],
  ].filter(([keyword]) => schema[keyword] !== undefined).map(([keyword, say]) => say(schema[keyword]));
}
`;
