// Checks what a session is given, before anything runs: a key that nobody knows would be a wish that nobody hears.

import { checkAboveField } from './above.ts';
import { checkAgent, checkContract, outputFormats } from './agent.ts';
import { checkBudget } from './budget.ts';
import type { BudgetPort } from './budget-port.ts';
import { checkMiddleware } from './check-middleware.ts';
import { checkKeys, complaint, type Owner, wrongField } from './complaint.ts';
import { AgentError } from './errors.ts';
import { fileProblem } from './file-part.ts';
import { isObject } from './json.ts';
import type { Message } from './message.ts';
import type { OutputStore } from './outputs.ts';
import type { PauseStore } from './pauses.ts';
import type { Ports } from './ports.ts';
import type { ResultCache } from './result-cache.ts';
import type { AIAgentSessionConfig } from './session-config.ts';
import { checkTexts } from './texts.ts';
import { checkOffers } from './tool.ts';
import type { WorkspaceStore } from './workspace-store.ts';

type Check = (owner: Owner, value: unknown) => void;

const remedy = 'Correct the options of the session; the message names the field.';

/** Throws `agent-invalid`, `schema-invalid` or `port-missing`. Only what is given is looked at: there may be thousands. */
export function checkConfig(config: AIAgentSessionConfig): void {
  if (!isObject(config)) throw wrongField({ name: 'a session', remedy }, 'config', config, 'an object with an agent');
  checkAgent(config.agent as AIAgentSessionConfig['agent']);
  const owner = { name: `the session of ${(config as unknown as AIAgentSessionConfig).agent.name}`, remedy };
  checkEach(owner, config, checks);
  if (config.resume !== undefined && config.attachments !== undefined)
    throw complaint(owner, 'attachments go with a prompt, and with resume there is none but the answer');
  if (config.request !== undefined) checkPlace(owner, config as unknown as AIAgentSessionConfig);
}

/** It goes on from a history, and from nothing else. */
function checkPlace(owner: Owner, { history = [], request, resume, attachments }: AIAgentSessionConfig): void {
  if (resume !== undefined || attachments !== undefined)
    throw complaint(owner, 'request goes with a history, not with resume or attachments');
  if (history[request?.at ?? -1]?.role !== 'user')
    throw wrongField(owner, 'request.at', request?.at, 'the index of a message of the user in history');
}

function checkContinues(owner: Owner, given: unknown): void {
  const { sessionId, missing } = isObject(given) ? given : {};
  if (typeof sessionId !== 'string' || !Array.isArray(missing))
    throw wrongField(owner, 'continues', given, 'an object with sessionId and missing');
  const wrong = missing.find((one) => !isObject(one) || typeof one.tool !== 'string' || !isObject(one.child));
  if (wrong !== undefined) throw wrongField(owner, 'continues.missing', wrong, 'a list of objects with tool and child');
}

function checkEach(owner: Owner, given: Record<string, unknown>, known: ReadonlyMap<string, Check>, path = ''): void {
  for (const key of Object.keys(given)) {
    const check = known.get(key);
    if (!check) throw complaint(owner, `${path}${key} is not known; known are ${[...known.keys()].join(', ')}`);
    const value = given[key];
    if (value !== undefined) check(owner, value);
  }
}

const checks = tableOf<AIAgentSessionConfig>({
  agent: () => {},
  ports: checkPorts,
  instructions: text('instructions'),
  tools: checkOffers,
  envOverlay: checkEnvOverlay,
  output: (owner, output) => checkContract(owner, 'output', output, outputFormats),
  attachments: (owner, files) => checkFiles(owner, 'attachments', files),
  history: checkHistory,
  request: checkRequest,
  continues: checkContinues,
  resume: text('resume'),
  budget: checkBudget,
  onQuestion: aFunction('onQuestion'),
  signal: checkSignal,
  onFact: aFunction('onFact'),
  onEvent: aFunction('onEvent'),
  middleware: checkMiddleware,
  runtime: aFunction('runtime'),
  texts: checkTexts,
  sessionId: text('sessionId'),
  above: checkAboveField,
});

const ports = tableOf<Ports>({
  clock: methods('clock', { now: 'function', after: 'function', monotonicMs: 'function' }),
  ids: methods('ids', { next: 'function' }),
  models(owner, models) {
    if (isObject(models) && typeof models.resolve === 'function')
      throw complaint(owner, 'ports.models is an object and must be a function: pass models.resolve');
    aFunction('ports.models')(owner, models);
  },
  prices: aFunction('ports.prices'),
  slots: checkSlots,
  budget: methods<Omit<BudgetPort, 'descendantsLeft' | 'raise'>>('budget', {
    open: 'function',
    close: 'function',
    reserve: 'function',
    settle: 'function',
    take: 'function',
    begin: 'function',
    spentBy: 'function',
    add: 'function',
  }),
  plugins: aFunction('ports.plugins'),
  outputs: methods<OutputStore>('outputs', { put: 'function', get: 'function' }),
  pauses: methods<PauseStore>('pauses', { put: 'function', get: 'function', delete: 'function' }),
  cache: methods<ResultCache>('cache', { get: 'function', put: 'function' }),
  workspace: methods<WorkspaceStore>('workspace', {
    put: 'function',
    get: 'function',
    list: 'function',
    clear: 'function',
  }),
});

function checkPorts(owner: Owner, given: unknown): void {
  if (!isObject(given)) throw wrongField(owner, 'ports', given, 'an object of ports');
  checkEach(owner, given, ports, 'ports.');
  const missing = ['clock', 'ids'].find((port) => given[port] === undefined);
  if (missing) throw new AgentError('port-missing', `${owner.name}: ports.${missing} is missing.`);
}

/** A port of any make: its methods may be its own, or of its class. */
function methods<T>(name: string, needed: Readonly<Record<keyof T & string, 'function'>>): Check {
  const names = Object.keys(needed);
  return (owner, port) => {
    if (!isObject(port)) throw wrongField(owner, `ports.${name}`, port, `an object with ${names.join(', ')}`);
    const wrong = names.find((method) => typeof port[method] !== 'function');
    if (wrong) throw wrongField(owner, `ports.${name}.${wrong}`, port[wrong], 'a function');
  };
}

function checkSlots(owner: Owner, slots: unknown): void {
  if (!isObject(slots)) throw wrongField(owner, 'ports.slots', slots, 'what createSlots gave');
  checkKeys(owner, slots, ['models', 'tools'], 'ports.slots.');
  for (const [key, gate] of Object.entries(slots))
    if (gate !== undefined && !(isObject(gate) && typeof gate.enter === 'function'))
      throw wrongField(owner, `ports.slots.${key}`, gate, `made by createSlots({ ${key}: … })`);
}

/** Never shows a value: it may be a key. */
export function checkEnvOverlay(owner: Owner, env: unknown): void {
  if (env === undefined) return;
  if (!isObject(env)) throw complaint(owner, 'envOverlay must be an object of texts');
  for (const key of Object.keys(env))
    if (typeof env[key] !== 'string')
      throw complaint(owner, `envOverlay.${key} is ${kindOf(env[key])} and must be text; leave out what there is not`);
}

function kindOf(value: unknown): string {
  return value === undefined || value === null ? String(value) : `of type ${typeof value}`;
}

function checkSignal(owner: Owner, signal: unknown): void {
  const { aborted, addEventListener, removeEventListener } = isObject(signal) ? signal : {};
  const isSignal = typeof addEventListener === 'function' && typeof removeEventListener === 'function';
  if (isSignal && typeof aborted === 'boolean') return;
  const hint = isObject(signal) && isObject(signal.signal) ? ': pass controller.signal' : '';
  throw wrongField(owner, 'signal', signal, `an AbortSignal${hint}`);
}

const partTypes: Readonly<Record<Message['role'], readonly string[]>> = {
  system: [],
  user: ['text', 'file'],
  assistant: ['text', 'reasoning', 'tool-call'],
  tool: ['tool-result'],
};

function checkHistory(owner: Owner, history: unknown): void {
  if (!Array.isArray(history)) throw wrongField(owner, 'history', history, 'a list of messages');
  for (let i = 0; i < history.length; i++) checkMessage(owner, `history[${i}]`, history[i]);
}

function checkRequest(owner: Owner, request: unknown): void {
  if (!isObject(request)) throw wrongField(owner, 'request', request, 'an object with text and at');
  checkKeys(owner, request, ['text', 'at', 'isAdvised'], 'request.');
  text('request.text')(owner, request.text);
  if (!Number.isSafeInteger(request.at)) throw wrongField(owner, 'request.at', request.at, 'a whole number');
}

function checkMessage(owner: Owner, field: string, message: unknown): void {
  if (!isObject(message)) throw wrongField(owner, field, message, 'a message, which has a role');
  const { role } = message;
  if (typeof role !== 'string' || !Object.hasOwn(partTypes, role))
    throw wrongField(owner, `${field}.role`, role, `one of ${Object.keys(partTypes).join(', ')}`);
  if (role === 'system') text(`${field}.text`)(owner, message.text);
  else checkParts(owner, `${field}.content`, message.content, partTypes[role as Message['role']]);
}

function checkParts(owner: Owner, field: string, parts: unknown, types: readonly string[]): void {
  const allowed = `of type ${types.join(', ')}`;
  if (!Array.isArray(parts)) throw wrongField(owner, field, parts, `a list of parts ${allowed}`);
  const wrong = parts.findIndex((part) => !isObject(part) || !types.includes(part.type as string));
  if (wrong >= 0) throw complaint(owner, `${field}[${wrong}] must be a part ${allowed}`);
  for (const [i, { files }] of parts.entries())
    if (files !== undefined) checkFiles(owner, `${field}[${i}].files`, files);
}

/** Only their shape: what a model takes, its provider says. */
function checkFiles(owner: Owner, field: string, files: unknown): void {
  if (!Array.isArray(files)) throw wrongField(owner, field, typeof files, 'a list of files');
  for (const [i, part] of files.entries()) {
    const problem = fileProblem(part);
    if (problem) throw complaint(owner, `${field}[${i}]${problem}`);
  }
}

function text(field: string): Check {
  return (owner, value) => {
    if (typeof value !== 'string') throw wrongField(owner, field, value, 'text');
  };
}

function aFunction(field: string): Check {
  return (owner, value) => {
    if (typeof value !== 'function') throw wrongField(owner, field, value, 'a function');
  };
}

/** One check for every key that there is. */
function tableOf<T>(all: Readonly<Record<keyof T & string, Check>>): ReadonlyMap<string, Check> {
  return new Map(Object.entries<Check>(all));
}
