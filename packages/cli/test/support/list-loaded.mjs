// For `node --import`: writes to LOADED_LIST what a process has loaded when it ends, a line each: files, and Node's own modules.

import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import vm from 'node:vm';

const before = new Set(process.moduleLoadList);
const loaded = [];
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url);
    return nextLoad(url, context);
  },
});
// The built command loads its own files.
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    if (options?.filename) loaded.push(options.filename);
  }
};
process.on('exit', () => {
  const own = process.moduleLoadList.filter((name) => !before.has(name));
  writeFileSync(process.env.LOADED_LIST, [...loaded, ...own].join('\n'));
});
