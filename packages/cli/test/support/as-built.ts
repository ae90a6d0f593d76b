// A module as the build writes it, for `bin/kept-code.cjs` to load.

export function asBuilt(code: string): string {
  return `(function (exports, require, module, __filename, __dirname) {\n${code}\n})\n`;
}
