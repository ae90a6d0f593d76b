// What the entry starts in a clone: the build when it is newer than every source, or else the sources themselves, so that
// what you edit is what you run. Old syntax, as the entry.
'use strict';

var fs = require('fs');
var path = require('path');

/** `isBuilt` says whether it is plain JavaScript. */
module.exports = function findProgram() {
  var packages = path.join(__dirname, '../..');
  var built = path.join(packages, '../dist/main.cjs');
  if (isNewer(built, packages)) return { file: built, isBuilt: true };
  return { file: path.join(__dirname, '../src/main.ts'), isBuilt: false };
};

function isNewer(built, packages) {
  var builtAt;
  try {
    builtAt = fs.statSync(built).mtimeMs;
  } catch (_) {
    return false;
  }
  return !fs.readdirSync(packages).some(function (name) {
    var folder = path.join(packages, name);
    return ['bin', 'src', 'package.json'].some(function (part) {
      return isChanged(path.join(folder, part), builtAt);
    });
  });
}

/** A folder changes too when a file in it is added or taken away. Hundreds of files at every start: each is asked for once. */
function isChanged(file, since) {
  var stats;
  try {
    stats = fs.statSync(file);
  } catch (_) {
    return false;
  }
  if (stats.mtimeMs > since) return true;
  if (!stats.isDirectory()) return false;
  return fs.readdirSync(file).some(function (name) {
    return isChanged(file + path.sep + name, since);
  });
}
