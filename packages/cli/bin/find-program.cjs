// What the entry starts in a clone: the build, or the sources where there is none. Whoever edits these builds again, and is
// told when that was forgotten. Old syntax, as the entry.
'use strict';

var fs = require('fs');
var path = require('path');

var packages = path.join(__dirname, '../..');
var built = path.join(packages, '../dist/main.cjs');

/** `isBuilt` says whether it is plain JavaScript. */
module.exports = function findProgram() {
  if (fs.existsSync(built)) return { file: built, isBuilt: true, isStale: isStale };
  return { file: path.join(__dirname, '../src/main.ts'), isBuilt: false };
};

/** Whether a source is newer than the build. Asked at the end of a run: hundreds of files are a part of a start. */
function isStale() {
  var stats = fs.statSync(built, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  var sources = ['scripts/build.ts', 'scripts/build', 'package.json', 'package-lock.json'];
  fs.readdirSync(packages).forEach(function (name) {
    ['bin', 'src', 'package.json'].forEach(function (part) {
      sources.push(path.join('packages', name, part));
    });
  });
  return sources.some(function (source) {
    return isChanged(path.join(packages, '..', source), stats.mtimeMs);
  });
}

/** A folder changes too when a file in it is added or taken away. */
function isChanged(file, since) {
  var stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.mtimeMs > since) return true;
  if (!stats.isDirectory()) return false;
  return fs.readdirSync(file).some(function (name) {
    return isChanged(path.join(file, name), since);
  });
}
