// Runs in a process of its own: every way to the world is trapped, except the ports that are handed in.

import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import nodeTimers from 'node:timers';
import { type Agent, AIAgentSession, asTool, createModels, defineTool } from '@ai-agent/cli';

const [baseUrl = '', trapTest = ''] = process.argv.slice(2);
const print = (text: string) => process.stdout.write(`${text}\n`);

function trap(name: string): () => never {
  return () => {
    throw new TypeError(`TRAPPED: ${name} ${new Error().stack?.split('\n').slice(2, 5).join(' ')}`);
  };
}

const traps = (name: string) => ({
  has: trap(name),
  ownKeys: trap(name),
  set: trap(name),
  getOwnPropertyDescriptor: trap(name),
});

const RealDate = Date;
const { process: realProcess } = globalThis;

class TrappedDate extends RealDate {
  constructor(...args: [] | [number | string]) {
    if (args.length === 0) trap('new Date()')();
    super(...(args as [number]));
  }
  static override now(): never {
    return trap('Date.now')();
  }
}

// The ports: the only clock and the only ids there are.
let now = 1_700_000_000_000;
let ids = 0;
const ports = {
  clock: { now: () => ++now, monotonicMs: () => ++now, after: () => () => {} },
  ids: { next: () => `trapped${++ids}` },
  models: createModels({ providers: { local: { type: 'openai-compatible', baseUrl, apiKey: 'sk-test' } } }).resolve,
};

// Node's own module loader reads the environment at every import(); everybody else is trapped.
const isLoader = () => /node:internal\/(modules|source_map)/.test(new Error().stack?.split('\n')[3] ?? '');
const trappedEnv = new Proxy(
  {},
  { ...traps('process.env'), get: () => (isLoader() ? undefined : trap('process.env')()) },
);
Object.defineProperty(realProcess, 'env', { value: trappedEnv });
realProcess.chdir = trap('process.chdir');
globalThis.Date = TrappedDate as unknown as DateConstructor;
Math.random = trap('Math.random');
globalThis.performance.now = trap('performance.now');
for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const) {
  Object.assign(globalThis, { [name]: trap(name) });
  Object.assign(nodeTimers, { [name]: trap(`node:timers ${name}`) });
}
for (const name of ['randomUUID', 'randomBytes', 'randomInt'] as const)
  Object.assign(nodeCrypto, { [name]: trap(`node:crypto ${name}`) });
for (const name of ['randomUUID', 'getRandomValues'] as const)
  Object.defineProperty(globalThis.crypto, name, { value: trap(`crypto ${name}`) });
globalThis.fetch = trap('fetch');
syncBuiltinESMExports();

const violate: Record<string, () => unknown> = {
  env: () => realProcess.env.HOME,
  date: () => Date.now(),
  random: () => Math.random(),
  timer: () => setTimeout(() => {}, 1),
};

const add = defineTool<{ a: number; b: number }>({
  name: 'add',
  description: 'Adds',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: ({ a, b }) => {
    violate[trapTest]?.();
    return String(a + b);
  },
});
const child: Agent = { name: 'child', description: 'adds', instructions: 'You add.', model: 'local/m', tools: [add] };
const lead: Agent = {
  name: 'lead',
  instructions: 'You lead.',
  model: 'local/m',
  tools: [asTool(child)],
  output: { format: 'json', schema: { type: 'object', required: ['sum'] } },
};

const run = new AIAgentSession({ agent: lead, ports }).run('2 + 3');
let deltas = 0;
for await (const event of run.events) if (event.kind === 'hint') deltas++;
const outcome = await run.outcome;
const failed = outcome.ledger.entries.flatMap((entry) =>
  entry.failureClass ? [`${entry.op} ${entry.failureClass}`] : [],
);
print(
  JSON.stringify({
    status: outcome.status,
    text: outcome.text,
    deltas: deltas > 0,
    failed,
    said: JSON.stringify(outcome.conversations),
    failure: 'failure' in outcome ? outcome.failure : null,
  }),
);
realProcess.exit(0);
