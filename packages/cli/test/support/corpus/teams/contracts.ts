// Files whose input or output is data: a lead that is qualified, an invoice, people in a text.

import { call, inTags, type Run } from '../run.ts';

export const contracts: readonly Run[] = [
  {
    name: 'sales',
    args: ['sales/qualify.ai', '{"company":"Fjordkraft Hotels","message":"We heat 14 hotels with oil."}'],
    stdout: '{"score":82,"next":"call"}\n',
    again: ['sales/fit', 'sales/qualify'],
    script: {
      'sales/company-profile': {
        opens: 'You write profiles of companies',
        says: [
          { calls: [call('crm__find_company', { name: 'Fjordkraft Hotels' })] },
          'Hotels, 14 sites, heats with oil.',
        ],
      },
      'sales/fit': { opens: 'You compare a lead with our best', says: ['{"fit":0.66,"why":"oil, many buildings"}'] },
      'sales/qualify': {
        opens: 'You qualify leads for a maker',
        says: ['{"score":820,"next":"call"}', inTags('{"score":82,"next":"call"}', 'json')],
      },
    },
  },
  {
    name: 'invoice',
    args: ['extraction/invoice.ai', 'Invoice 77 of 2 May 2026, {{customer}}, total 12,50'],
    stdout: '{"number":"77","date":"2026-05-02","total":12.5}\n',
    script: {
      'extraction/invoice': {
        opens: 'You take data out of invoices.',
        says: ['```json\n{"number":"77","date":"2026-05-02","total":12.5}\n```'],
      },
    },
  },
  {
    name: 'contacts',
    args: ['extraction/contacts.ai', '{"text":"Ask Marit in accounts."}'],
    stdout: '[{"name":"Marit","role":"accounts"}]\n',
    script: {
      'extraction/contacts': {
        opens: 'You find people in texts.',
        says: ['[{"name":"Marit","role":"accounts"}]'],
      },
    },
  },
];
