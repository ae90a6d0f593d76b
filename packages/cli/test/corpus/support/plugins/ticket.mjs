// Files every answer of the support desk under a ticket.

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

export default function ticket() {
  return {
    name: 'ticket',
    getRequirements: () => ({
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['category', 'resolved'],
        properties: {
          category: { enum: ['noise', 'heating', 'hot-water', 'display', 'other'] },
          resolved: { type: 'boolean' },
        },
      },
      systemPromptInstructions: 'Say under which category the ticket is filed, and whether the customer is helped.',
      xmlNextSnippet: 'The ticket is still missing.',
      finalReportExampleSnippet:
        '<ai-agent-NONCE-META plugin="ticket">{"category":"noise","resolved":true}</ai-agent-NONCE-META>',
    }),
    async onComplete({ agentId, userRequest, finalReport, pluginData, fromCache }) {
      const line = JSON.stringify({ agentId, userRequest, report: finalReport.content, pluginData, fromCache });
      await appendFile(join(process.env.HOME ?? '.', 'tickets.jsonl'), `${line}\n`);
    },
  };
}
