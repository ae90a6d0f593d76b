// The support desk: two advisors, a router, three who may answer, one of them with a plug-in, one with a handoff.

import { expect } from 'vitest';
import type { Part } from '../gateway.ts';
import { ask, call, type Run, readKept } from '../run.ts';

const record: Part = {
  opens: 'You look customers up for the front desk',
  says: ({ prompt }) =>
    prompt.includes('4471')
      ? [
          { calls: [call('crm__find_customer', { number: '4471' })] },
          ({ heard }) => `4471: ${heard[0]?.split(',')[0]}, contract Comfort, open ticket about noise`,
        ]
      : ['no customer number'],
};

const mood = (mood: string, urgency: number): Part => ({
  opens: 'You judge the mood of a message',
  says: [JSON.stringify({ mood, urgency })],
});

const desk = (agent: string, message?: string): Part => ({
  opens: 'You sit at the front desk of Hollowell Heating',
  says: [{ calls: [call('router__handoff-to', { agent, ...(message === undefined ? {} : { message }) })] }],
});

const manuals: Part = {
  opens: 'You look things up in the manuals.',
  says: [
    { calls: [call('library__search', { query: 'E7' })] },
    { calls: [call('library__read', { page: 'page:hp9' })] },
    readKept({ extract: 'what error E7 means', mode: 'auto' }),
    'HP-9, page 12: "the flow sensor sees no water". Bleed the radiators, press reset for five seconds.',
  ],
};

const ticket = '{"category":"display","resolved":true}';
const nonceIn = (system: string) => /ai-agent-([0-9a-f]{8})-META/.exec(system)?.[1];

export const support: readonly Run[] = [
  {
    name: 'support-technical',
    args: ['support/front-desk.ai', 'My HP-9 shows E7 since {{DAY}} and beeps. Customer 4471.'],
    stdout: 'The pump sees no water. Bleed the radiators, then press reset for five seconds.\n',
    again: ['support/customer-record', 'support/mood', 'support/front-desk', 'support/technical'],
    tickets: [
      {
        agentId: 'technical',
        userRequest: expect.stringContaining('My HP-9 shows E7 since '),
        report: 'The pump sees no water. Bleed the radiators, then press reset for five seconds.',
        pluginData: { category: 'display', resolved: true },
        fromCache: false,
      },
    ],
    script: {
      'support/customer-record': record,
      'support/mood': mood('worried', 4),
      'support/front-desk': desk('technical', 'Known noise, may be the same fault.'),
      'support/technical': {
        opens: 'You help customers of Hollowell Heating with heat pumps',
        says: [
          {
            reasoning: 'E7 may be the flow sensor.',
            text: 'I look that up.',
            calls: [ask('manuals', { text: 'Error E7, model HP-9' })],
          },
          'The pump sees no water. Bleed the radiators, then press reset for five seconds.',
          ({ system }) =>
            `<ai-agent-${nonceIn(system)}-META plugin="ticket">${ticket}</ai-agent-${nonceIn(system)}-META>`,
        ],
      },
      'research/manuals': manuals,
      tool_output: {
        opens: 'You read one part of a long result',
        says: ['Error E7: the flow sensor sees no water (page 12).'],
      },
    },
  },
  {
    name: 'support-billing',
    args: ['support/front-desk.ai', 'Why is HH-2207 so high?'],
    stdout: 'Invoice **HH-2207** is over 412.50 euros, due on 1 March 2026.\n',
    calls: ['GET /api/invoices/HH-2207'],
    again: ['support/customer-record', 'support/mood', 'support/front-desk'],
    script: {
      'support/customer-record': record,
      'support/mood': mood('calm', 1),
      'support/front-desk': desk('billing', 'Look the invoice up.'),
      'support/billing': {
        opens: 'You answer questions about invoices',
        says: [
          { calls: [call('rest__invoice', { number: 'HH-2207' })] },
          'Invoice **HH-2207** is over 412.50 euros, due on 1 March 2026.',
        ],
      },
    },
  },
  {
    name: 'support-cancellation',
    args: ['support/front-desk.ai', 'I want out of my contract.'],
    stdout: 'Your contract ends three months after this notice. You may also pause it.\n',
    script: {
      'support/customer-record': record,
      'support/mood': mood('angry', 3),
      'support/front-desk': desk('cancellations'),
      'support/cancellations': {
        opens: 'You handle cancellations for Hollowell Heating.',
        says: ['Draft: ends in three months; a pause is possible.'],
      },
      'support/polish': {
        opens: 'You give replies of Hollowell Heating their final wording.',
        says: ['Your contract ends three months after this notice. You may also pause it.'],
      },
    },
  },
  {
    name: 'support-thanks',
    args: ['support/front-desk.ai', 'Thanks, all is warm again.'],
    stdout: 'Good to hear. Stay warm.\n',
    script: {
      'support/customer-record': record,
      'support/mood': mood('calm', 1),
      'support/front-desk': { opens: 'You sit at the front desk', says: ['Good to hear. Stay warm.'] },
    },
  },
];
