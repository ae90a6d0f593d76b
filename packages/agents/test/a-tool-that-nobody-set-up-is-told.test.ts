// The promise: what a file names in tools is in a configuration it can reach, with the variables that needs; each lack is told once.

import { expect, test } from 'vitest';
import { agentFile, loadFiles } from './support/world.ts';

const config = {
  mcpServers: {
    github: { command: 'g', env: { TOKEN: `\${GITHUB_TOKEN}` } },
    files: { command: 'f' },
    mail: { command: 'm', env: { A: `\${MAIL_USER}`, B: `\${MAIL_PASSWORD}` } },
  },
  restTools: { weather: { url: `https://w.test?key=\${WEATHER_KEY}` }, time: { url: 'https://t.test' } },
  openapiSpecs: { crm: { spec: 'crm.yaml', headers: { auth: `\${CRM_KEY}` } }, free: { spec: 'free.yaml' } },
};

async function told(tools: string, set: unknown = config) {
  const files = { 'desk.ai': agentFile(`tools: ${tools}`), '.ai-agent.json': set };
  const { problems } = await loadFiles(files, ['desk.ai'], { purpose: 'check' });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.every(({ file, line, key }) => file === 'desk.ai' && line === 3 && key === 'tools')).toBe(true);
  return errors.map(({ code, message }) => `${code}: ${message}`);
}

test.each([
  'files',
  'files__read',
  'files__*',
  'file?',
  'time',
  'rest__time',
  'rest__tim*',
  'openapi:free',
  'openapi:fr*',
  'batch',
  '"!nobody, !github"',
])('%s needs nothing that is not there', async (tools) => {
  expect(await told(tools)).toEqual([]);
});

const unknown =
  'known are github, files, mail, weather, rest__weather, time, rest__time, openapi:crm, openapi:free, batch';

test.each([
  ['githb', 'githb is not in the configuration; did you mean github?'],
  ['nobody__at_all', `nobody__at_all is not in the configuration; ${unknown}`],
  ['openapi:files', 'openapi:files is not in the configuration; did you mean openapi:free?'],
  ['githb__get_*', 'githb__get_* is not in the configuration; did you mean github__get_*?'],
  ['crm', 'crm is not in the configuration; did you mean openapi:crm?'],
  ['zzz*', `zzz* is not in the configuration; ${unknown}`],
  ['batsh', 'batsh is not in the configuration; did you mean batch?'],
  ['f.les', 'f.les is not in the configuration; did you mean files?'],
])('%s is not set up', async (tools, message) => {
  expect(await told(tools)).toEqual([`tool-not-configured: ${message}`]);
});

test('where nothing is set up, nothing is offered', async () => {
  expect(await told('github, batch', {})).toEqual([
    'tool-not-configured: github is not in the configuration; nothing is set up there',
  ]);
  expect(await told('batsh', {})).toEqual([
    'tool-not-configured: batsh is not in the configuration; did you mean batch?',
  ]);
});

test.each([
  ['github', ['GITHUB_TOKEN; define in shell or .ai-agent.env (github needs it)']],
  ['github__get, github__list, git*', ['GITHUB_TOKEN; define in shell or .ai-agent.env (github needs it)']],
  [
    'mail',
    [
      'MAIL_USER; define in shell or .ai-agent.env (mail needs it)',
      'MAIL_PASSWORD; define in shell or .ai-agent.env (mail needs it)',
    ],
  ],
  ['weather', ['WEATHER_KEY; define in shell or .ai-agent.env (weather needs it)']],
  ['rest__weather', ['WEATHER_KEY; define in shell or .ai-agent.env (rest__weather needs it)']],
  ['openapi:crm', ['CRM_KEY; define in shell or .ai-agent.env (openapi:crm needs it)']],
])('%s needs variables', async (tools, missing) => {
  expect(await told(tools)).toEqual(missing.map((one) => `secret-missing: Missing: ${one}`));
});

test('variables that are there are enough; those of what is not named do no harm', async () => {
  const files = {
    'desk.ai': agentFile('tools: github, files'),
    '.ai-agent.json': config,
    '.ai-agent.env': 'GITHUB_TOKEN=x',
  };
  const { registry } = await loadFiles(files, ['desk.ai'], { purpose: 'check' });
  expect(registry.hasErrors).toBe(false);
});
