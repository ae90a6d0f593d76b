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
    if (code === 0 && fresh.length > 0) keepAll(folder, fresh);
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
    var kept = folder && path.join(folder, [use, path.basename(name), hashOf(name)].join('-'));
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

/**
 * Where users keep what can be made again: it is theirs alone, and who can write there could have anything run. Whoever
 * tells Node where to keep its own is heard, and so is who wants nothing kept.
 */
function findFolder() {
  var env = process.env;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  var place = env.NODE_COMPILE_CACHE || env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
  return place && path.isAbsolute(place)
    ? path.join(place, 'ai-agent', process.version + '-' + process.arch)
    : undefined;
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

/** Where nothing can be kept, the next start is no slower than this one. */
function keepAll(folder, fresh) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 448 });
    fresh.forEach(keep);
  } catch (_) {
    // A full or read-only disk is no reason to fail what has gone well.
  }
}

/** Whole or not at all, also when the machine stops in the middle of it: V8 believes what it reads. */
function keep(one) {
  var place = one.file + '.' + process.pid;
  var descriptor = fs.openSync(place, 'w', 384);
  try {
    fs.writeSync(descriptor, Buffer.concat([Buffer.from(one.stamp), one.script.createCachedData()]));
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  fs.renameSync(place, one.file);
}
