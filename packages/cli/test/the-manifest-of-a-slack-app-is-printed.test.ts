// The promise: `slack manifest` prints an app that fits the configuration and the flags, without tokens, and asks nobody.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

async function aDesk(slack: object = {}) {
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: offline/demo']), '.ai-agent.json': { slack } });
  return (...args: readonly string[]) => run(['slack', ...args], { cwd });
}

test('of the configuration, for a socket', async () => {
  const { code, stdout, stderr } = await (await aDesk({ botToken: `\${NOBODY}`, command: 'desk' }))('manifest');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    display_information: { name: 'ai-agent' },
    features: { slash_commands: [{ command: '/desk' }] },
    settings: { socket_mode_enabled: true },
  });
});

test('of the flags, for HTTP, as YAML', async () => {
  const words = ['--name', 'Research desk', '--command', '/research', '--http', 'https://agents.example.com', '--yaml'];
  const { code, stdout } = await (await aDesk({ command: 'desk' }))('manifest', ...words);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^display_information:\n {2}name: Research desk$/m);
  expect(stdout).toMatch(/command: \/research$/m);
  expect(stdout).toMatch(/request_url: https:\/\/agents\.example\.com\/slack\/events$/m);
  expect(stdout).toMatch(/socket_mode_enabled: false$/m);
});

test.each([
  ['nothing', [], /ai-agent slack manifest/],
  ['something else', ['manifests'], /ai-agent slack manifest/],
  ['two forms', ['manifest', '--json', '--yaml'], /say one of them/],
  ['no address', ['manifest', '--http', 'http://agents.example.com'], /such as https:/],
  ['no command', ['manifest', '--command', '/Ask me'], /"\/Ask me" is none/],
  ['a long name', ['manifest', '--name', 'x'.repeat(36)], /1 to 35/],
])('%s is refused', async (_name, words, sentence) => {
  const { code, stdout, stderr } = await (await aDesk())(...words);
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(sentence);
});

test('a configuration that is wrong is told', async () => {
  const { code, stdout, stderr } = await (await aDesk({ command: '/ask me' }))('manifest');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('slack.command');
});

test('a configuration that is not there is no reason to print another app', async () => {
  const { code, stdout, stderr } = await (await aDesk())('manifest', '--config', 'nope.json');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('nope.json');
});
