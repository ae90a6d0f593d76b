// `widget.js`, the one script that a page of somebody else has: it loads the rest from where it came from.

/** Written in when it is built: the module of the element and those that it needs, from here. */
declare const elementFiles: readonly string[];

const script = findScript();
if (!script) throw new TypeError('The chat is not loaded: widget.js has to be the src of a script in this page.');
// All at once: each would otherwise be found by reading the one before. Where that fails, the page is told once.
void Promise.all(elementFiles.map((file) => import(/* @vite-ignore */ new URL(file, script).href)));

/** One that is written as a module does not know its element: then it is the one with this name. */
function findScript(): string | undefined {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) return currentScript.src;
  return [...document.scripts].find(({ src }) => /\/widget\.js(?:[?#]|$)/.test(src))?.src;
}
