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

/** A folder changes too when a file in it is added or taken away. Hundreds of files at every start: nothing is asked twice. */
function isChanged(file, since) {
  var stats = fs.statSync(file, { throwIfNoEntry: false });
  if (!stats) return false;
  if (stats.mtimeMs > since) return true;
  return stats.isDirectory() && isFolderChanged(file, since);
}

function isFolderChanged(folder, since) {
  return fs.readdirSync(folder, { withFileTypes: true }).some(function (entry) {
    var file = folder + path.sep + entry.name;
    if (fs.statSync(file).mtimeMs > since) return true;
    return entry.isDirectory() && isFolderChanged(file, since);
  });
}
