// The flags of `ai-agent slack manifest`.

import type { Flag } from './flag.ts';

export const slackFlags: readonly Flag[] = [
  { names: ['--name'], value: 'name', about: 'What the app is called; ai-agent unless said' },
  { names: ['--command'], value: '/name', about: 'The slash command; that of the configuration, or /ask, unless said' },
  {
    names: ['--http'],
    value: 'url',
    about: 'Events come over HTTP, to the server that Slack finds at this https:// address; over a socket unless said',
  },
  { names: ['--yaml'], about: 'YAML instead of JSON; Slack takes both' },
  { names: ['--json'], about: 'JSON, which it is anyway' },
];
