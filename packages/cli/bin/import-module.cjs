// Kept out of the entry because `import()` is a syntax error on the oldest Nodes. Loaded only on one that can run us.
'use strict';

module.exports = function importModule(file) {
  return import(require('url').pathToFileURL(file).href);
};
