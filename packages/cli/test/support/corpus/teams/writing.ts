// Pipelines of texts: release notes, translations, letters; with and without a frontmatter.

import { expect } from 'vitest';
import { ask, call, inTags, type Run } from '../run.ts';

const table = '# Minutes\n\n| who | what |\n| --- | --- |\n| Bo | orders the pump |';

export const writing: readonly Run[] = [
  {
    name: 'release',
    args: ['release/notes.ai', 'Version 4.2'],
    stdout: '4.2 is here, with a quiet mode.\n',
    script: {
      'release/notes': {
        opens: 'You draft release notes.',
        says: [
          { calls: [call('agent__changes', { version: '4.2', reason: 'notes of 4.2', _reason: 'for the notes' })] },
          inTags('## New\n\n- Quiet mode (#31)\n\n## Fixed\n\n- Clock drift (#33)', 'markdown'),
        ],
      },
      'release/changes': {
        opens: 'You list the changes of a version',
        says: [
          { calls: [call('repo__log', { version: '4.2' }), call('repo__show', { id: 'a1' })] },
          '{"version":"4.2","changes":["Quiet mode (#31)","Clock drift (#33)"]}',
        ],
      },
      'release/editor': { opens: 'You edit release notes.', says: ['## New\n\n- A quiet mode for the night (#31)'] },
      'release/announcement': { opens: 'You turn release notes into', says: ['4.2 is here, with a quiet mode.'] },
    },
  },
  {
    name: 'translation',
    args: ['translation/translate.ai', 'The compressor is quiet at night.'],
    stdout: 'Der Verdichter ist nachts leise.\n',
    again: ['translation/translate', 'translation/review', 'translation/proof'],
    script: {
      'translation/translate': {
        opens: 'You translate into German',
        says: [{ calls: [ask('glossary', { prompt: 'compressor' })] }, 'Der Verdichter ist in der Nacht leise'],
      },
      'translation/glossary': { opens: 'You know the glossary:', says: ['{"compressor":"Verdichter"}'] },
      'translation/review': { opens: 'You compare a translation', says: ['Der Verdichter ist nachts leise'] },
      'translation/proof': { opens: 'You read proofs of German', says: ['Der Verdichter ist nachts leise.'] },
    },
  },
  {
    name: 'newsletter',
    args: ['writing/newsletter.ai', 'The newsletter of {{DAY}}, about defrosting'],
    stdout: '# Ice\n\nIce. Melts. Fine.\n\nWhite fins in the frost\n',
    script: {
      'writing/newsletter': {
        opens: 'You write the newsletter for customers.',
        says: [
          {
            calls: [ask('haiku', { text: 'defrosting' }), ask('short-summary', { text: 'Ice melts.', format: 'text' })],
          },
          '# Ice\n\nIce. Melts. Fine.\n\nWhite fins in the frost',
        ],
      },
      'writing/haiku-of-the-month': { opens: 'You write a haiku', says: ['White fins in the frost'] },
      'research/summary': { opens: 'You write summaries of exactly three', says: ['Ice. Melts. Fine.'] },
    },
  },
  {
    name: 'haiku',
    args: ['writing/haiku.ai', '--models', 'gateway/heron-small', 'rain'],
    stdout: 'Rain on the warm roof\n',
    script: { 'writing/haiku': { opens: 'You write a haiku', says: ['Rain on the warm roof'] } },
  },
  {
    name: 'minutes',
    args: ['writing/minutes.ai', `Ann and Bo met on \${DAY}. Bo orders the pump.`],
    stdout: `${table}\n`,
    tickets: [
      {
        agentId: 'minutes',
        userRequest: expect.stringMatching(/^Ann and Bo met on \w+day. Bo orders the pump.$/),
        report: table,
        pluginData: { category: 'other', resolved: true },
        fromCache: false,
      },
    ],
    script: {
      'writing/minutes': {
        opens: 'You write minutes.',
        says: [
          ({ system }) => {
            const nonce = /ai-agent-([0-9a-f]{8})-META/.exec(system)?.[1];
            const meta = '{"category":"other","resolved":true}';
            return `${table}\n\n<ai-agent-${nonce}-META plugin="ticket">${meta}</ai-agent-${nonce}-META>`;
          },
        ],
      },
    },
  },
];
