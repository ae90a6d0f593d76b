// The promise: a server that is started here gets what a program needs of the process, its certificates too, and no key; who runs
// it by hand to see why it fails is told of the difference.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

/** Says which variables it has, and ends. */
const leaving = {
  command: process.execPath,
  args: ['-e', 'process.stderr.write("has " + Object.keys(process.env).sort())'],
};

test('certificates are handed on; keys and proxies, whose addresses may hold passwords, are not', async () => {
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', 'tools: gh']),
    '.ai-agent.json': { mcpServers: { gh: { ...leaving, env: { OWN: 'x' } } } },
  });
  const certificates = ['CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_DIR', 'SSL_CERT_FILE'];
  const others = ['HTTPS_PROXY', 'OPENAI_API_KEY', 'NODE_OPTIONS', 'ANYTHING'];
  const env = Object.fromEntries(
    [...certificates, ...others].map((name) => [name, name === 'NODE_OPTIONS' ? '' : '/x']),
  );
  const { stdout } = await run(['tools', 'desk.ai'], { cwd, env });
  const [, has = ''] = /It wrote: has (\S+)/.exec(stdout) ?? [];
  expect(has.split(',')).toEqual([...certificates, 'HOME', 'OWN', 'PATH'].sort());
  expect(stdout).toMatch(
    /What to do: Run the command by hand.* \(by hand it has all of your variables, here only a few: see docs\/tools\.md\)/,
  );
});
