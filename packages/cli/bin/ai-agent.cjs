#!/usr/bin/env node
// The command's entry: finds a Node that can run us before anything else is loaded. Old syntax only, so that an old Node
// gets a sentence instead of a syntax error.
'use strict';

var fs = require('fs');
var path = require('path');

var GUARD = 'AI_AGENT_REEXECUTED';

function start(args) {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    console.log(require('../package.json').version);
    return;
  }
  var program = findProgram();
  var isGood = canRun(process.versions.node, program.isBuilt);
  var decision = decide({
    version: process.versions.node,
    isBuilt: program.isBuilt,
    pinned: isGood ? null : findPinnedNode(),
    isReexecuted: process.env[GUARD] !== undefined,
  });
  // Only this process was meant to see it: a command started from a tool may need to re-execute again.
  delete process.env[GUARD];

  if (decision.action === 'run') run(program, args);
  else if (decision.action === 're-execute') reexecute(decision.node, args);
  else {
    console.error(decision.message);
    process.exitCode = 1;
  }
}

/** In the package it is beside us; a clone has to choose. */
function findProgram() {
  var packed = path.join(__dirname, 'main.cjs');
  return fs.existsSync(packed) ? { file: packed, isBuilt: true } : require('./find-program.cjs')();
}

/** What to do on this Node: run, re-execute with the pinned one, or refuse with a sentence. */
function decide(facts) {
  if (canRun(facts.version, facts.isBuilt)) return { action: 'run' };
  if (facts.pinned && !facts.isReexecuted && canRun(facts.pinned.version, facts.isBuilt)) {
    return { action: 're-execute', node: facts.pinned.path };
  }
  return {
    action: 'refuse',
    message:
      'ai-agent needs Node ' +
      (facts.isBuilt ? '22.13' : '22.18 or 23.6 (to run from its sources)') +
      ' or newer, and this is ' +
      facts.version +
      ': upgrade Node, or, in a clone, run "npm ci" with its install scripts, which brings the right one.',
  };
}

/** Built JavaScript needs 22.13; the sources need a Node that strips types by itself: 22.18, or 23.6 in its own line. */
function canRun(version, isBuilt) {
  var parts = version.split('.');
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  if (major === 22) return minor >= (isBuilt ? 13 : 18);
  if (major === 23) return isBuilt || minor >= 6;
  return major > 23;
}

/** The `node` package installed beside us or in a folder above, if its binary is there: its install script may not have run. */
function findPinnedNode() {
  var manifestPath, manifest, binary;
  try {
    manifestPath = require.resolve('node/package.json');
    manifest = require(manifestPath);
    binary = path.join(path.dirname(manifestPath), manifest.bin.node);
    return fs.existsSync(binary) ? { path: binary, version: manifest.version } : null;
  } catch (_) {
    return null;
  }
}

function run(program, args) {
  load(program, args)
    .then(function (loaded) {
      return loaded.main(args);
    })
    .then(
      function (exitCode) {
        process.exitCode = exitCode;
      },
      function (error) {
        console.error(error);
        process.exitCode = 70;
      }
    );
}

function load(program, args) {
  if (!program.isBuilt) return require('./import-module.cjs')(program.file);
  if (program.isStale) process.on('exit', tellIfStale.bind(null, program));
  return Promise.resolve(require('./kept-code.cjs')(program.file, useOf(args)));
}

/** What a start is for: whoever only asks for help calls little of what a run does. */
function useOf(args) {
  if (args.indexOf('--help') >= 0 || args.indexOf('-h') >= 0 || args[0] === 'help' || args.length === 0) return 'help';
  if (args.some(isHeadend)) return 'serve';
  return /^(check|serve|list|chat|sessions|tools|login|logout|init|key|slack|demo|completion)$/.test(args[0])
    ? args[0]
    : 'run';
}

/** It serves then, also where nobody says so. */
function isHeadend(word) {
  return /^--(api|mcp|slack)(=|$)/.test(word);
}

function tellIfStale(program) {
  if (program.isStale()) console.error('This was the build in dist, and its sources are newer: npm run build');
}

function reexecute(node, args) {
  var env = Object.assign({}, process.env);
  env[GUARD] = '1';
  var child = require('child_process').spawn(node, [__filename].concat(args), { stdio: 'inherit', env: env });

  // A terminal sends SIGINT and SIGHUP to its whole process group, somebody else to this process alone: nobody can tell.
  // The child takes the same signal so soon again for an echo. We listen also to outlive it and report how it ended.
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });

  child.on('error', function (error) {
    console.error('ai-agent could not start ' + node + ': ' + error.message);
    process.exitCode = 1;
  });
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Reached only where the signal does not end a process, as on Windows.
    setTimeout(function () {
      process.exit(128 + require('os').constants.signals[signal]);
    }, 1000);
  });
}

if (require.main === module) start(process.argv.slice(2));
else module.exports = { decide: decide, useOf: useOf };
