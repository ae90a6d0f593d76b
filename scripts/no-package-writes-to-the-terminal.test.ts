// The promise: what the MCP client writes to the console by itself, with the words of servers in it, is not in what we publish.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no file of the build warns in its name', () => {
  const files = globSync('dist/{chunks,command}/*.{js,cjs}');
  const sources = files.map((file) => readFileSync(file, 'utf8'));
  // The client is in there, so that this looks at the right thing.
  expect(sources.some((source) => source.includes('notifications/cancelled'))).toBe(true);
  for (const source of sources) expect(source).not.toMatch(/console\.\w+\(\s*[`"'(]*\[mcp-sdk\]/);
});
