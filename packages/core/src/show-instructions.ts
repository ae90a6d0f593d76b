// The instructions of an agent for somebody who has a model of their own: as a session would have them, without what it was given to keep.

import type { Agent, PromptContext } from './agent.ts';
import { renderInstructions } from './open-agent.ts';
import { Secrets } from './secrets.ts';
import { contractText } from './system-prompt.ts';
import { defaultTexts } from './texts.ts';

/** Whatever a variable holds is struck out, not only what is named like a secret. Throws `agent-invalid`. */
export function showInstructions(agent: Agent, context: PromptContext): string {
  const secrets = new Secrets();
  for (const value of Object.values(context.env)) secrets.hide(value);
  const contract = contractText(context.output, { ...defaultTexts, ...agent.texts });
  const paragraphs = [renderInstructions(agent, context).trim(), contract];
  return secrets.show(paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'));
}
