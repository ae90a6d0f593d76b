// On call: a router that also has tools and a sub-agent, and whom it passes alerts to.

import type { Part } from '../gateway.ts';
import { ask, call, type Run, readKept } from '../run.ts';

const opens = 'You are on call for a web shop, machine ';

const logReader: Part = {
  opens: 'You read logs with rest__logs.',
  says: [
    {
      calls: [
        call('rest__logs', { service: 'checkout', level: 'error' }),
        call('rest__statuspage_listIncidents', { limit: 3, open: true }),
      ],
    },
    readKept({ extract: 'the first bad line', mode: 'read-grep' }),
    '03:30 error checkout: upstream gave 502\n03:30\nthe release of the night',
  ],
};

const readLogs = { calls: [ask('log-reader', { service: 'checkout', level: 'error' })] };
const apis = ['GET /api/logs?service=checkout&level=error', 'GET /api/incidents?limit=3&open=true'];

export const operations: readonly Run[] = [
  {
    name: 'ops-status-page',
    args: ['ops/triage.ai', 'Checkout answers with 502 since 03:10'],
    stdout: 'Some payments fail. We write again within the hour.\n',
    calls: apis,
    script: {
      'ops/triage': {
        opens,
        says: [readLogs, { calls: [call('router__handoff-to', { agent: 'status-page', message: 'Since 03:30.' })] }],
      },
      'ops/log-reader': logReader,
      tool_output: {
        opens: 'You look something up in a long result',
        says: [
          { calls: [call('result_search', { search: '03:30' }), call('result_range', { from: 1500 })] },
          '03:30 error checkout: upstream gave 502, attempt 29',
        ],
      },
      'ops/status-page': {
        opens: 'You write for the public status page.',
        says: ['Some payments fail. We write again within the hour.'],
      },
    },
  },
  {
    name: 'ops-rollback',
    args: ['ops/triage.ai', 'Take release 4.2 back'],
    stdout: 'repo__revert would take a1 back.\n',
    script: {
      'ops/triage': { opens, says: [{ calls: [call('router__handoff-to', { agent: 'rollback' })] }] },
      'ops/rollback': {
        opens: 'You take releases back.',
        says: [
          '<tool_call>\n{"name": "repo__log", "arguments": {"version": "4.2"}}\n</tool_call>',
          'repo__revert would take a1 back.',
        ],
      },
    },
  },
  {
    name: 'ops-page',
    args: ['ops/triage.ai', 'We lose money'],
    stdout: '',
    stderr: [
      'needs_user_input: triage wants to call rest__page_oncall:',
      '  service: "checkout"',
      '  summary: "payments fail"',
      'What to do: Answer it: ai-agent sessions resume <id> --answer yes\n',
    ].join('\n'),
    code: 6,
    script: {
      'ops/triage': {
        opens,
        says: [{ calls: [call('rest__page_oncall', { service: 'checkout', summary: 'payments fail' })] }],
      },
    },
  },
];
