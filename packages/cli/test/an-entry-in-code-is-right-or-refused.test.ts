// The promise: an entry of a server or an API that is written in code and is not right is refused when a session opens, with words
// that name the place: nobody would read a warning.

import { ask, type McpServerConfig, mcpServer, openapiSpec, restTool, type ToolOffer } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';

const url = 'http://127.0.0.1:1/';
const odd = (config: object) => config as McpServerConfig & { url: string; spec: string };

test.each<[string, ToolOffer, string]>([
  [
    'a misspelt key of a server',
    mcpServer('gh', odd({ url, toolsAlowed: ['a'] })),
    'mcpServers.gh.toolsAlowed: is not known; did you mean toolsAllowed?',
  ],
  [
    'a misspelt key of a REST tool',
    restTool('tide', odd({ url, metod: 'POST' })),
    'restTools.tide.metod: is not known; did you mean method?',
  ],
  [
    'a misspelt key of a document',
    openapiSpec('crm', odd({ spec: 'x.json', baseURI: url })),
    'openapiSpecs.crm.baseURI: is not known; did you mean baseUrl?',
  ],
  [
    'a queue that nobody set up',
    restTool('tide', { url, queue: 'serch' }, { queues: { search: { concurrent: 1 } } }),
    'restTools.tide.queue: there is no queue serch in options.queues; did you mean search?',
  ],
  [
    'a name that is none',
    mcpServer('git hub', { url }),
    'mcpServers.git hub: the name must be letters, digits, _ and - alone',
  ],
])('%s', async (_, tool, message) => {
  const model = scriptedModel([]);
  const outcome = await ask({ name: 'clerk', instructions: 'Ask.', model, tools: [tool] }, 'Go.');
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'config-invalid', message } });
});

test('what is right is offered', async () => {
  const tool = restTool('tide', { url, queue: 'one' }, { queues: { one: { concurrent: 1 } } });
  const agent = { name: 'clerk', instructions: 'Ask.', model: scriptedModel(['fine']), tools: [tool] };
  expect(await ask(agent, 'Go.')).toMatchObject({ status: 'completed', text: 'fine' });
});
