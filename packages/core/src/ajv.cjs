// Ajv, loaded when the first schema is compiled: most runs compile none, and it is a large part of a start. As CommonJS
// because that alone can load something in the middle of a function that has to answer at once.
'use strict';

// Strict mode is for authors of schemas, not for those who got one; unknown formats are ignored, and so is a logger's warning of them.
// What is referred to is not written out again at each place: a few letters could come to a hundred megabytes of code.
const options = { allErrors: true, strict: false, logger: false, ownProperties: true, inlineRefs: false };

// Formats of JSON Schema that ajv-formats has. The patterns of these take linear time; its `url` does not, and is no format of JSON Schema.
const formats = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'regex',
  'json-pointer',
  'relative-json-pointer',
];

function withFormats(compiler) {
  // Compiles the metaschema first: a reference such as #/$defs/List<Item> is no URI, and still allowed in a schema.
  compiler.validateSchema({});
  const { fullFormats } = require('ajv-formats/dist/formats.js');
  for (const name of formats) compiler.addFormat(name, fullFormats[name]);
  return compiler;
}

module.exports = {
  draft7: () => withFormats(new (require('ajv').Ajv)(options)),
  draft2019: () => withFormats(new (require('ajv/dist/2019.js').Ajv2019)(options)),
  draft2020: () => withFormats(new (require('ajv/dist/2020.js').Ajv2020)(options)),
};
