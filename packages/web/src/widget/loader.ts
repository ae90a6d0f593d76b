// `widget.js`, the one script that a page of somebody else has: it loads the rest from where it came from.

/** Written in when it is built: the module of the element and those that it needs, from here. */
declare const elementFiles: readonly string[];

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  // All at once: each would otherwise be found by reading the one before.
  for (const file of elementFiles) void import(/* @vite-ignore */ new URL(file, script.src).href);
}
