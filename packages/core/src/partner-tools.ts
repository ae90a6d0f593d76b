// The partners of an agent as tools: hidden ones that only its steps call, and the one by which a router hands over.

import { type Partner, type Partners, partnersOf } from './partners.ts';
import type { PartnerRole } from './place.ts';
import { ownSchema } from './schema.ts';
import { defineTool, type SessionTool, type Tool } from './tool.ts';

export const handOverName = 'router__handoff-to';

// Thousands of sessions have the same agent: its partners are made into tools once.
const known = new WeakMap<Partners, readonly Tool[]>();

export function partnerTools(agent: Partners): readonly Tool[] {
  const before = known.get(agent);
  if (before) return before;
  const tools = toTools(agent);
  known.set(agent, tools);
  return tools;
}

export function partnerToolName(role: PartnerRole, { label }: Pick<Partner, 'label'>): string {
  return `${role}__${label}`;
}

function toTools(agent: Partners): readonly Tool[] {
  const hidden = partnersOf(agent).map(([role, partner]) => toTool(role, partner));
  return agent.router ? [...hidden, handOver(agent.router.destinations)] : hidden;
}

const argumentsSchema = ownSchema({
  type: 'object',
  properties: {
    request: { type: 'string' },
    said: { type: 'array', items: { type: 'object' } },
    output: { type: 'object' },
    isLast: { type: 'boolean' },
  },
  required: ['request'],
  additionalProperties: false,
});

function toTool(role: PartnerRole, partner: Partner): SessionTool {
  const { label, description, agentName, agentId, levels } = partner;
  return {
    name: partnerToolName(role, partner),
    description,
    inputSchema: argumentsSchema,
    identity: { namespace: role, tool: label },
    isHidden: true,
    operation: 'session',
    titleFrom: 'title',
    partner: role,
    agentName,
    ...(agentId === undefined ? {} : { agentId }),
    levels,
    startSession: (call, caller) => partner.startSession(call, caller, role),
  };
}

function handOver(destinations: readonly Partner[]): Tool {
  return defineTool<{ readonly agent: string }>({
    name: handOverName,
    description:
      'Hands the request over to the agent that fits it best. That agent answers in your place, and you are done.',
    inputSchema: ownSchema({
      type: 'object',
      properties: {
        agent: { type: 'string', enum: destinations.map(({ label }) => label), description: 'Who answers' },
        message: { type: 'string', description: 'What that agent should know beyond the request itself' },
      },
      required: ['agent'],
      additionalProperties: false,
    }),
    identity: { namespace: 'router', tool: 'handoff-to' },
    readOnly: true,
    endsSession: true,
    execute: ({ agent }) => `Handed over to ${agent}.`,
  });
}
