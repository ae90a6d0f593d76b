// The research group: a batch of readers, a checker who remembers, a summary; and a reviewer with its checks.

import type { Part } from '../gateway.ts';
import { ask, call, inTags, type Run } from '../run.ts';

const status = (status: string, now: string) =>
  call('agent__task_status', {
    status,
    done: '',
    pending: '',
    now,
    ready_for_final_report: status === 'completed',
    need_to_run_more_tools: status !== 'completed',
  });

const reader: Part = {
  opens: 'You read for a research group.',
  says: ({ prompt }) => {
    const { topic } = JSON.parse(prompt);
    return [
      { calls: [call('library__search', { query: topic })] },
      {
        calls: [
          call('library__read', { page: `page:${topic.length}` }),
          call('workspace_put', { key: topic, value: 'excerpt' }),
        ],
      },
      JSON.stringify({ topic, findings: [{ claim: `60 000 ${topic}`, source: `page:${topic.length}` }] }),
    ];
  },
};

const checker: Part = {
  opens: 'You check claims.',
  says: [
    '{"claim":"60 000 installed","verdict":"holds","why":"the office of statistics"}',
    '{"claim":"cheap power","verdict":"unknown","why":"no source"}',
  ],
};

const research: Run = {
  name: 'research',
  args: ['research/lead.ai', 'How many heat pumps were installed in Norway, and why so many?'],
  stdout: '# Norway\n\nMany. Cheap power. Old habit.\n\n60 000 (page:9).\n',
  script: {
    'research/lead': {
      opens: 'You lead a small research group.',
      says: [
        {
          calls: [
            status('starting', 'splitting the question'),
            call('agent__batch', {
              calls: [
                {
                  id: 'count',
                  tool: 'agent__reader',
                  parameters: { topic: 'installed', since: 2020, reason: 'count' },
                },
                { id: 'why', tool: 'agent__reader', parameters: { topic: 'power prices', reason: 'why' } },
              ],
            }),
          ],
        },
        { calls: [ask('fact-checker', { claim: '60 000 installed', source: 'page:9' })] },
        { calls: [ask('fact-checker', { claim: 'cheap power' })] },
        {
          calls: [
            ask('short-summary', { text: 'Many pumps, cheap power, old habit.' }),
            status('completed', 'writing it down'),
          ],
        },
        inTags('# Norway\n\nMany. Cheap power. Old habit.\n\n60 000 (page:9).', 'markdown'),
      ],
    },
    'research/reader': reader,
    'research/fact-checker': checker,
    'research/summary': { opens: 'You write summaries of exactly three', says: ['Many. Cheap power. Old habit.'] },
  },
};

const review: Run = {
  name: 'review',
  args: ['review/reviewer.ai', 'Review the change in PR 17'],
  stdout: '## Must change\n\n- Line 1: SQL out of a name.\n',
  script: {
    'review/reviewer': {
      opens: 'You review changes.',
      says: [
        { calls: [call('repo__show', { id: '17' })] },
        {
          calls: [
            ask('naming', { text: 'query = "select " + name' }),
            ask('security', { prompt: 'query = "select " + name' }),
            ask('tests', { json: { change: 17, lines: ['query = "select " + name'] } }),
          ],
        },
        '## Must change\n\n- Line 1: SQL out of a name.',
      ],
    },
    'review/checks/naming': { opens: 'You look at names and comments', says: ['nothing'] },
    'review/checks/security': { opens: 'You look for security problems', says: ['Line 1: SQL out of a name.'] },
    'review/checks/tests': { opens: 'You look for behaviour that no test', says: ['An empty name.'] },
  },
};

export const groups: readonly Run[] = [research, review];
