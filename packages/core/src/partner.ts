// An agent as a partner of another: a session one level down that works on the same request.

import { type Agent, checkAgent, levelsOf, mayAsk, sharesWorkspace } from './agent.ts';
import { idOf } from './agent-key.ts';
import type { OutputContract } from './model.ts';
import { type Partner, type PartnerArguments, resultOf } from './partners.ts';
import { childSessionId } from './place.ts';
import { toDependency } from './response-cache.ts';
import { runBelow } from './run-below.ts';
import { AIAgentSession } from './session.ts';
import { type AsToolOptions, checkOptions } from './sub-agent.ts';
import { nonceOf } from './text.ts';
import { defaultTexts } from './texts.ts';

/** For `advisors`, `router.destinations` and `handoff` of any agent. */
export function asPartner(agent: Agent, options: AsToolOptions = {}): Partner {
  checkAgent(agent);
  checkOptions('asPartner', agent, options);
  const { envOverlay = {} } = options;
  const label = agent.toolName ?? agent.name;
  // What it is asked is made by the house: its contract is for callers who send arguments.
  const { input: _input, ...asked } = agent;
  checkAgent(asked);
  return {
    agentName: agent.name,
    agentId: idOf(agent),
    label,
    description: agent.description ?? '',
    levels: 1 + levelsOf(agent),
    sharesWorkspace: sharesWorkspace(agent),
    mayAsk: mayAsk(agent),
    output: resultOf(agent) ?? plainText,
    dependsOn: () => toDependency(agent, envOverlay),
    startSession(call, caller, role) {
      const { request, said = [], output, isLast } = call.args as unknown as PartnerArguments;
      const { history = [], attachments, inherited, place } = caller;
      const { handed } = { ...defaultTexts, ...inherited.texts, ...agent.texts };
      const nonce = nonceOf(childSessionId(place.id, call));
      const prompt = said.length === 0 ? request : handed({ nonce, said, request });
      const more = { ...(attachments ? { attachments } : {}), ...(output ? { output } : {}) };
      const partner = { role, isLast: isLast === true, request: { text: request, said } };
      return runBelow({ call, caller, partner }, () => ({
        session: new AIAgentSession({ agent: asked, envOverlay, history, ...more }),
        prompt,
      }));
    },
  };
}

const plainText: OutputContract = { format: 'text' };
