// What every session has: its guards, and the tools that belong to them.

import type { Agent } from './agent.ts';
import { askUser, hiddenAskUser } from './ask-user.ts';
import { budget } from './middleware/budget.ts';
import { cache } from './middleware/cache.ts';
import { callLimit } from './middleware/call-limit.ts';
import { contextGuard } from './middleware/context-guard.ts';
import { finalAnswer } from './middleware/final-answer.ts';
import { limitReached } from './middleware/limit-reached.ts';
import { modelFallback } from './middleware/model-fallback.ts';
import { nesting } from './middleware/nesting.ts';
import { outputBound } from './middleware/output-bound.ts';
import { permissions } from './middleware/permissions.ts';
import { questions } from './middleware/questions.ts';
import { reportTags } from './middleware/report-tags.ts';
import { router } from './middleware/router.ts';
import { slots } from './middleware/slots.ts';
import { timeouts } from './middleware/timeouts.ts';
import { turnLimit } from './middleware/turn-limit.ts';
import { validateArguments } from './middleware/validate-arguments.ts';
import type { Middleware } from './middleware.ts';
import type { Tool } from './tool.ts';
import { toolOutput } from './tool-output.ts';
import { workspaceTools } from './workspace.ts';

/**
 * Outermost first. A call is tried again outside its reservation, is fitted to the window of the model that is asked, and
 * reserved before it queues: who waits for a place never keeps others from settling. An answer that is given again takes no
 * place. What an embedder adds comes after these, and sees what they let pass.
 */
export const builtInMiddleware: readonly Middleware[] = [
  limitReached,
  turnLimit,
  callLimit,
  permissions,
  validateArguments,
  nesting,
  questions,
  modelFallback,
  contextGuard,
  outputBound,
  budget,
  cache,
  slots,
  timeouts,
  reportTags,
  finalAnswer,
];

/** The same for an agent that may hand its request over. */
export const routerMiddleware: readonly Middleware[] = [router, ...builtInMiddleware];

const quiet: readonly Tool[] = [toolOutput, hiddenAskUser];
const asking: readonly Tool[] = [toolOutput, askUser];

export function builtInTools({ ask, workspace }: Agent): readonly Tool[] {
  const tools = ask === undefined ? quiet : asking;
  return workspace ? [...tools, ...workspaceTools] : tools;
}

const builtIn: ReadonlySet<Tool> = new Set([...quiet, ...asking, ...workspaceTools]);

/** Whether a tool is one of ours, whatever others are called. */
export function isBuiltIn(tool: Tool | undefined): boolean {
  return tool !== undefined && builtIn.has(tool);
}
