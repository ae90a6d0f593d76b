// Loads the built command with the code that V8 kept of an earlier run. Node's own compile cache keeps what is compiled when
// a file is loaded; most functions are compiled when they are first called, and that is most of a start.
'use strict';

var fs = require('fs');
var path = require('path');
var vm = require('vm');

/** The module in a file of the build. `use` is what this run is for: another use calls other functions. */
module.exports = function loadKept(file, use) {
  var folder = findFolder();
  var modules = new Map();
  var fresh = [];
  process.on('exit', function (code) {
    // A run that failed has called few of the functions that others will.
    if (code === 0) fresh.forEach(keep);
  });

  function load(name) {
    var module = modules.get(name);
    if (module) return module.exports;
    module = { exports: {} };
    modules.set(name, module);
    var inside = path.dirname(name);
    var requireHere = function (id) {
      return id.charAt(0) === '.' ? load(path.join(inside, id)) : require(id);
    };
    compile(name).call(module.exports, module.exports, requireHere, module, name, inside);
    return module.exports;
  }

  /** The build writes a function around each file, in ASCII only. */
  function compile(name) {
    var kept = folder && path.join(folder, ['ai-agent', use, path.basename(name), hashOf(name)].join('-'));
    var stamp = stampOf(name);
    var script = new vm.Script(fs.readFileSync(name, 'latin1'), {
      filename: name,
      cachedData: kept && read(kept, stamp),
      // Node warns when it is used: the build leaves no import() of ours in these files.
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (kept && script.cachedDataRejected !== false) fresh.push({ script: script, file: kept, stamp: stamp });
    return script.runInThisContext();
  }

  return load(file);
};

/** Where Node itself keeps such things, when that belongs to us alone: who can write there could have anything run. */
function findFolder() {
  var modules = require('module');
  modules.enableCompileCache();
  var folder = modules.getCompileCacheDir();
  if (folder === undefined) return undefined;
  var stats = fs.statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || process.getuid === undefined) return folder;
  return stats.uid === process.getuid() && (stats.mode & 18) === 0 ? folder : undefined;
}

/** Of a path: two installs keep apart, and a new build takes the place of the old one. */
function hashOf(text) {
  var hash = 5381;
  var i;
  for (i = 0; i < text.length; i++) hash = ((hash * 33) ^ text.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

var STAMP_BYTES = 64;

/** Stands before the code, and tells builds apart: V8 itself looks only at how long a file is. */
function stampOf(file) {
  var stats = fs.statSync(file);
  return [stats.size, stats.mtimeMs, stats.ino].join(' ').padEnd(STAMP_BYTES);
}

function read(file, stamp) {
  var kept;
  try {
    kept = fs.readFileSync(file);
  } catch (_) {
    return undefined;
  }
  return kept.toString('latin1', 0, STAMP_BYTES) === stamp ? kept.subarray(STAMP_BYTES) : undefined;
}

/** Whole or not at all; where it cannot be written, the next start is no slower than this one. */
function keep(one) {
  var place = one.file + '.' + process.pid;
  try {
    fs.writeFileSync(place, Buffer.concat([Buffer.from(one.stamp), one.script.createCachedData()]), { mode: 384 });
    fs.renameSync(place, one.file);
  } catch (_) {
    fs.rmSync(place, { force: true });
  }
}
