// `ai-agent slack manifest`: the manifest of the Slack app that fits what the configuration says, to be pasted at Slack.

import { readSlackSettings, type SlackConfig, toLine, toYaml } from '@ai-agent/agents';
import { type ManifestOptions, toManifest } from '@ai-agent/slack/manifest';
import { flagValue, type Misuse, type Words } from '../arguments.ts';
import { processPlaces } from '../assemble.ts';
import { exitCodes } from '../exit-codes.ts';
import { toPrintable } from '../render/printable.ts';
import type { Terminal } from '../terminal.ts';
import { misuse } from './misuse.ts';

const help = 'ai-agent slack --help';

export function run(words: Words, terminal: Terminal): number {
  const [what, another] = words.words.map(({ text }) => text);
  if (what !== 'manifest') return misuse(terminal, 'What of Slack? There is ai-agent slack manifest.', { help });
  if (another !== undefined)
    return misuse(terminal, `The manifest takes no more words, but flags: ${another}.`, { help });
  const isYaml = flagValue(words, '--yaml') !== undefined;
  if (isYaml && flagValue(words, '--json') !== undefined)
    return misuse(terminal, '--json and --yaml are two forms of the same: say one of them.', { help });
  const { stdout, stderr, input } = terminal;
  const configFile = flagValue(words, '--config');
  const places = { ...processPlaces(), ...(configFile === undefined ? {} : { configFile }) };
  const { settings, problems } = readSlackSettings(places, { folders: [], connects: false });
  for (const problem of problems) stderr.write(`${toPrintable(toLine(problem, input.cwd))}\n`);
  if (problems.some(({ severity }) => severity === 'error')) return exitCodes.byClass.config;
  const options = readOptions(words, settings);
  if ('problem' in options) return misuse(terminal, options.problem, { help });
  const manifest = toManifest(options);
  stdout.write(isYaml ? toYaml(manifest) : `${JSON.stringify(manifest, null, 2)}\n`);
  return exitCodes.ok;
}

/** Flags win over the configuration. */
function readOptions(words: Words, settings: SlackConfig): ManifestOptions | Misuse {
  const name = flagValue(words, '--name')?.trim() ?? 'ai-agent';
  const http = flagValue(words, '--http')?.trim();
  const said = flagValue(words, '--command')?.trim();
  if (name === '' || name.length > 35)
    return { problem: '--name must have from 1 to 35 characters: Slack takes these.' };
  if (http !== undefined && !isAddress(http))
    return {
      problem:
        '--http must be the https:// address at which Slack finds the server, such as https://agents.example.com.',
    };
  if (said !== undefined && !/^\/?[a-z\d_-]{1,31}$/.test(said))
    return { problem: `--command must be a command such as /ask, in small letters; "${said}" is none.` };
  return {
    name,
    command: said === undefined ? (settings.command ?? '/ask') : `/${said.replace(/^\//, '')}`,
    http,
  };
}

/** Slack posts to nobody else. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.search === '' && url.hash === '';
}
