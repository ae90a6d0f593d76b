// Ajv, loaded when the first schema is compiled: most runs compile none, and it is a large part of a start. As CommonJS
// because that alone can load something in the middle of a function that has to answer at once.
'use strict';

// Strict mode is for authors of schemas, not for those who got one; formats are not assertions by default.
// What is referred to is not written out again at each place: a few letters could come to a hundred megabytes of code.
const options = { allErrors: true, strict: false, validateFormats: false, ownProperties: true, inlineRefs: false };

module.exports = {
  draft7: () => new (require('ajv').Ajv)(options),
  draft2019: () => new (require('ajv/dist/2019.js').Ajv2019)(options),
  draft2020: () => new (require('ajv/dist/2020.js').Ajv2020)(options),
};
