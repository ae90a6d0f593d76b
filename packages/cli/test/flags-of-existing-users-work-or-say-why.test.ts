// The promise: a flag of an existing set-up that does nothing here is refused with a sentence, before anything is asked.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { olderFlags } from '../src/commands/older-flags.ts';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const aDesk = async () => {
  const model = await served(promptIn);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return { model, run: (...args: readonly string[]) => run(args, { cwd }) };
};

/** By hand, from what people have in their scripts: flag and value, and a word of what to do instead. */
const refused: readonly (readonly [what: string, flags: readonly string[], words: RegExp])[] = [
  [
    'telemetry',
    [
      '--telemetry-enabled',
      '--telemetry-otlp-endpoint http://127.0.0.1:4317',
      '--telemetry-otlp-timeout-ms 5',
      '--telemetry-prometheus-enabled',
      '--telemetry-prometheus-host 0.0.0.0',
      '--telemetry-prometheus-port 9464',
      '--telemetry-traces-enabled',
      '--telemetry-trace-sampler always_on',
      '--telemetry-trace-ratio 0.5',
      '--telemetry-label k=v',
      '--telemetry-label -x',
      '--telemetry-log-format json',
      '--telemetry-log-extra x',
      '--telemetry-logging-otlp-endpoint=http://127.0.0.1',
      '--telemetry-logging-otlp-timeout-ms 5',
    ],
    /is about telemetry, which this version does not have. --events /,
  ],
  ['the list of tools', ['--list-tools all', '--list-tools', '--schema-validate draft-07'], /ai-agent tools <file>/],
  ['other names of tools', ['--tool a', '--mcp-tool a', '--mcp-tools=a,b'], /--tools a,b/],
  ['a schema', ['--schema s.json'], /output\.schema/],
  ['conversations', ['--save a', '--sessions-dir a'], /--save-all <folder>/],
  ['figures', ['--billing-file a', '--accounting a'], /--json .* ledger/],
  ['what was before', ['--load a', '--resume a'], /--session <id>/],
  ['capitals', ['--topP 0.5', '--llmTimeoutMs 5', '--maxTurns=3', '--topK 3'], /It is written --[a-z-]+\./],
];

test.each(refused)('what is about %s is refused, and says what to do instead', async (_, given, words) => {
  const desk = await aDesk();
  const ended = await Promise.all(given.map((flag) => desk.run('desk.ai', 'hello', ...flag.split(' '))));
  for (const [i, { code, stdout, stderr }] of ended.entries()) {
    const flag = given[i]?.split(/[ =]/)[0] as string;
    expect([flag, code, stdout]).toEqual([flag, 4, '']);
    expect(stderr).toMatch(new RegExp(`^failed \\(usage\\): (?:There is no option )?${flag}[ .]`));
    expect(stderr).toMatch(words);
  }
  expect(desk.model.requests).toHaveLength(0);
});

test('these are all that are refused', () => {
  const tried = new Set(refused.flatMap(([, flags]) => flags.map((flag) => flag.split(/[ =]/)[0])));
  expect([...olderFlags.keys()].filter((flag) => !tried.has(flag))).toEqual([]);
});

test('the page of the command has each of them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/command.md'), 'utf8');
  const [, section = ''] = page.split('What is not there is refused');
  const onPage = new Set(
    [...section.matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/--[a-z-]+/g)),
  );
  expect([...olderFlags.keys()].filter((flag) => !onPage.has(flag))).toEqual([]);
});

test('help has none of them, and with --json the refusal is a document', async () => {
  const desk = await aDesk();
  const [help, refusal] = await Promise.all([
    desk.run('run', '--help'),
    desk.run('desk.ai', '--json', '--schema', 's.json'),
  ]);
  for (const flag of olderFlags.keys()) expect(help.stdout).not.toMatch(new RegExp(`${flag}(?![\\w-])`));
  expect(JSON.parse(refusal.stdout)).toMatchObject({ status: 'failed', failure: { class: 'usage' } });
});
