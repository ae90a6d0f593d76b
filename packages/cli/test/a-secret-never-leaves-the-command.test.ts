// Canaries: a key echoed by whoever it was sent to appears nowhere the command writes.

import { describe, expect, test } from 'vitest';
import { agentFile, type Ended, folderWith, localProvider, run } from './support/command.ts';
import { type Answer, completion, listening, streamed } from './support/served.ts';

/** A variable that is not named like a secret, and a value that looks like none. */
const canary = 'Zx9canaryQ7vT';
const plain = 'elsewhere-and-long';

const modes = [
  ['the answer', []],
  ['--json', ['--json']],
  ['--events', ['--events']],
] as const;

const runAgainst = async (answer: Answer, args: readonly string[]): Promise<Ended> => {
  const { url, heard } = await listening(answer);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'maxRetries: 1']),
    '.ai-agent.env': `MY_LOCAL=${canary}\nMY_PATH=${plain}\n`,
    '.ai-agent.json': localProvider(`${url}/$\{MY_PATH}/v1`, { apiKey: `$\{MY_LOCAL}` }),
  });
  const ended = await run(['desk.ai', ...args, 'hello'], { cwd });
  expect(heard[0]).toMatchObject({ authorization: `Bearer ${canary}`, url: `/${plain}/v1/chat/completions` });
  return ended;
};

const expectStruck = ({ stdout, stderr }: Ended) => {
  // Also not across what a reader of deltas would join.
  const joined = [...stdout.matchAll(/"type":"text-delta".*?"text":"([^"]*)"/g)].map((match) => match[1]).join('');
  for (const [name, text] of Object.entries({ stdout, stderr, joined })) {
    expect(text, name).not.toContain(canary);
    expect(text, name).not.toContain(Buffer.from(canary).toString('base64'));
  }
};

describe.each(modes)('with %s', (_, args) => {
  test('echoed by the model, whole', async () => {
    const ended = await runAgainst((__, response) => completion(response, `Your key is ${canary}, at ${plain}.`), args);
    expect(ended.code).toBe(0);
    expectStruck(ended);
    expect(ended.stdout).toContain('Your key is ');
    expect(ended.stdout).toContain(plain);
  });

  test.each([
    ['in two', [`Your key is ${canary.slice(0, 6)}`, `${canary.slice(6)}, at ${plain}.`]],
    ['letter by letter', [...`Your key is ${canary}, at ${plain}.`]],
  ])('echoed by the model in a stream that cuts it %s', async (__, pieces) => {
    const ended = await runAgainst((___, response) => streamed(response, pieces), args);
    expect(ended.code).toBe(0);
    expectStruck(ended);
    if (args.length === 0) expect(ended.stdout).toContain(`, at ${plain}.`);
  });

  test('echoed in the body of an error', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${canary} for ${plain}` } });
    const ended = await runAgainst(
      (__, response) => response.writeHead(401, { 'content-type': 'application/json' }).end(body),
      args,
    );
    expect(ended.code).toBe(2);
    expectStruck(ended);
    expect(ended.stderr).toContain('Incorrect API key provided: ');
    expect(ended.stderr).toContain(plain);
  });
});

test('what is wrong with a file or a configuration is said without the values of variables', async () => {
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'maxTurns: x']),
    '.ai-agent.env': `MY_LOCAL=${canary}\nbroken line ${canary}\n`,
    '.ai-agent.json': localProvider('not an address', { apiKey: `$\{MY_LOCAL}`, typ: 'x' }),
  });
  for (const args of [['desk.ai', 'hello'], ['check'], ['check', '--json'], ['desk.ai', '--help']])
    expectStruck(await run(args, { cwd }));
});
