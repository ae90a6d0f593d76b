// What every session has: its guards, and the tools that belong to them.

import type { Agent } from './agent.ts';
import { askUser, hiddenAskUser } from './ask-user.ts';
import { batch } from './batch.ts';
import { budget } from './middleware/budget.ts';
import { cache } from './middleware/cache.ts';
import { callLimit } from './middleware/call-limit.ts';
import { clientTools } from './middleware/client-tools.ts';
import { contextGuard } from './middleware/context-guard.ts';
import { finalAnswer } from './middleware/final-answer.ts';
import { limitReached } from './middleware/limit-reached.ts';
import { modelFallback } from './middleware/model-fallback.ts';
import { nesting } from './middleware/nesting.ts';
import { outputBound, outputCut } from './middleware/output-bound.ts';
import { permissions } from './middleware/permissions.ts';
import { questions } from './middleware/questions.ts';
import { reportTags } from './middleware/report-tags.ts';
import { router } from './middleware/router.ts';
import { slots } from './middleware/slots.ts';
import { taskEnd } from './middleware/task-end.ts';
import { timeouts } from './middleware/timeouts.ts';
import { turnLimit } from './middleware/turn-limit.ts';
import { validateArguments } from './middleware/validate-arguments.ts';
import type { Middleware } from './middleware.ts';
import { isReadingTool } from './reading/search-by-model.ts';
import type { MakeSession } from './session-config.ts';
import { taskStatus } from './task-status.ts';
import type { Tool } from './tool.ts';
import { toolOutputWith } from './tool-output.ts';
import { workspaceTools } from './workspace.ts';

/**
 * Outermost first. A call is tried again outside its reservation, is fitted to the window of the model that is asked, and
 * reserved before it queues: who waits for a place never keeps others from settling. An answer that is given again takes no
 * place. What an embedder adds comes after these, and sees what they let pass.
 */
const keeping: readonly Middleware[] = [
  limitReached,
  taskEnd,
  turnLimit,
  callLimit,
  permissions,
  validateArguments,
  nesting,
  clientTools,
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

/** What differs from agent to agent, where it does. */
function layersOf(agent: Agent): readonly Middleware[] {
  const layers = keepsOutput(agent) ? keeping : keeping.map((layer) => (layer === outputBound ? outputCut : layer));
  return agent.router ? [router, ...layers] : layers;
}

// Thousands of sessions have the same agent: its layers are put together once.
const layered = new WeakMap<Agent, readonly Middleware[]>();

export function builtInMiddleware(agent: Agent): readonly Middleware[] {
  const known = layered.get(agent);
  if (known) return known;
  const layers = layersOf(agent);
  layered.set(agent, layers);
  return layers;
}

export function builtInTools(agent: Agent, make: MakeSession): readonly Tool[] {
  const known = tooled.get(agent);
  if (known) return known;
  const tools = toolsOf(agent, make);
  tooled.set(agent, tools);
  return tools;
}

// The same of its tools.
const tooled = new WeakMap<Agent, readonly Tool[]>();

function toolsOf(agent: Agent, make: MakeSession): readonly Tool[] {
  return [
    ...(keepsOutput(agent) ? [toolOutputBy(make)] : []),
    agent.ask === undefined ? hiddenAskUser : askUser,
    ...(agent.progress === false ? [] : [taskStatus]),
    ...(agent.batch ? [batch] : []),
    ...(agent.workspace ? workspaceTools : []),
  ];
}

function keepsOutput({ toolOutput }: Agent): boolean {
  return toolOutput?.enabled !== false;
}

// By whoever makes sessions, of whom there is one: all sessions share the tool.
const readers = new WeakMap<MakeSession, Tool>();

function toolOutputBy(make: MakeSession): Tool {
  const known = readers.get(make);
  if (known) return known;
  const toolOutput = toolOutputWith(make);
  readers.set(make, toolOutput);
  builtIn.add(toolOutput);
  return toolOutput;
}

const builtIn = new WeakSet<Tool>([hiddenAskUser, askUser, taskStatus, batch, ...workspaceTools]);

/** Whether a tool is one of ours, whatever others are called. */
export function isBuiltIn(tool: Tool | undefined): boolean {
  return tool !== undefined && (builtIn.has(tool) || isReadingTool(tool));
}
