// A file that names models runs on those; one that names none says on stderr what it runs on, and why.

import { describe, expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { completion, listening, served, streamed } from './support/served.ts';

const missing = 'Missing: OPENAI_API_KEY; define in shell or .ai-agent.env';
const named = agentFile(['models: openai/gpt-5']);
const key = `$\{OPENAI_API_KEY}`;

describe('a file that names a model', () => {
  test('without its key does not run, whatever else is there', async () => {
    const other = await served(() => 'I am another model');
    const cwd = await folderWith({
      'desk.ai': named,
      '.ai-agent.json': localProvider(other.baseUrl),
      '.ai-agent.env': 'GROQ_API_KEY=gsk_from_the_file\n',
    });
    const env = { ANTHROPIC_API_KEY: 'sk-ant-another', OLLAMA_HOST: other.url, OPENAI_API_KEY: '  ' };
    const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd, env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`desk.ai:2: error: models: ${missing}`);
    expect(stderr).toContain('failed (config): ');
    expect(stderr).not.toContain('runs on');
    expect(other.requests).toHaveLength(0);
  });

  test.each([
    ['the shell', { env: { OPENAI_API_KEY: 'sk-from-the-place' } }],
    ['.ai-agent.env', { file: { '.ai-agent.env': '# keys\nexport OPENAI_API_KEY="sk-from-the-place"\n' } }],
  ])('takes it from %s', async (_, { env = {}, file = {} }: { env?: object; file?: object }) => {
    const { url, heard } = await listening((__, response) => streamed(response, ['fine']));
    const cwd = await folderWith({
      'desk.ai': named,
      '.ai-agent.json': { providers: { openai: { baseUrl: url, apiKey: key, openaiMode: 'chat' } } },
      ...file,
    });
    const { code, stdout } = await run(['desk.ai', '-q', 'hello'], { cwd, env: { ...env } });
    expect([code, stdout]).toEqual([0, 'fine\n']);
    expect(heard.map(({ authorization }) => authorization)).toEqual(['Bearer sk-from-the-place']);
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ model: 'gpt-5' });
  });

  test('falls back only to what it names; a model without a key is a warning while another has one', async () => {
    const { baseUrl } = await served(['second']);
    const cwd = await folderWith({
      'desk.ai': agentFile(['models: openai/gpt-5, local/m']),
      '.ai-agent.json': localProvider(baseUrl),
    });
    const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd });
    expect([code, stdout]).toEqual([0, 'second\n']);
    expect(stderr).toContain(`warning: models: ${missing}`);
  });

  test('needs none of the secrets that other entries name', async () => {
    const { baseUrl } = await served(['fine']);
    const config = {
      providers: {
        local: { type: 'openai-compatible', baseUrl },
        openai: { apiKey: key },
      },
      mcpServers: { github: { type: 'stdio', command: 'nothing', env: { TOKEN: key } } },
    };
    const cwd = await folderWith({ 'desk.ai': agentFile(['models: local/m']), '.ai-agent.json': config });
    expect(await run(['desk.ai', '-q', 'hello'], { cwd })).toEqual({ code: 0, stdout: 'fine\n', stderr: '' });
  });

  test('of a provider that nobody knows is told which was meant', async () => {
    const cwd = await folderWith({ 'desk.ai': agentFile(['models: opena/gpt-5']) });
    const { code, stderr } = await run(['desk.ai', 'hello'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('there is no provider opena; did you mean openai?');
  });
});

describe('a file that names none', () => {
  const unnamed = 'You answer.';

  test('takes the key that is set, before a local server', async () => {
    const ollama = await listening((_, response) => completion(response, 'not me'));
    const { url, heard } = await listening((_, response) => streamed(response, ['fine']));
    const cwd = await folderWith({
      'desk.ai': unnamed,
      '.ai-agent.json': { providers: { openai: { baseUrl: url, apiKey: key, openaiMode: 'chat' } } },
    });
    const env = { OPENAI_API_KEY: 'sk-of-the-shell', OLLAMA_HOST: ollama.url };
    const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd, env });
    expect([code, stdout]).toEqual([0, 'fine\n']);
    expect(stderr).toMatch(/^desk\.ai names no model: it runs on openai\/\S+, because OPENAI_API_KEY is set\.$/m);
    expect(heard[0]?.authorization).toBe('Bearer sk-of-the-shell');
    expect(ollama.heard).toHaveLength(0);
  });

  test('then a local Ollama, if one answers', async () => {
    const { url, heard } = await listening(({ url: asked }, response) => {
      const models = [{ name: 'small:1b' }, { name: 'big' }];
      const reply = { message: { role: 'assistant', content: 'from here' }, done: true, done_reason: 'stop' };
      response.end(JSON.stringify(asked === '/api/tags' ? { models } : reply));
    });
    const cwd = await folderWith({ 'desk.ai': unnamed });
    const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd, env: { OLLAMA_HOST: url.slice(7) } });
    expect([code, stdout]).toEqual([0, 'from here\n']);
    expect(stderr).toContain('names no model: it runs on ollama/small:1b, because an Ollama answers on this machine.');
    expect(heard.map((one) => one.url)).toEqual(['/api/tags', '/api/chat']);
    expect(JSON.parse(heard[1]?.body ?? '')).toMatchObject({ model: 'small:1b' });
  });

  test('then offline/demo, and that it is no language model is said', async () => {
    const cwd = await folderWith({ 'desk.ai': unnamed });
    const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd, env: { OLLAMA_HOST: '127.0.0.1:9' } });
    expect([code, stdout]).toEqual([0, expect.stringContaining('offline/demo')]);
    expect(stderr).toContain(
      'desk.ai names no model: it runs on offline/demo, because no key is set and no Ollama answers; it is no language model.',
    );
  });
});
