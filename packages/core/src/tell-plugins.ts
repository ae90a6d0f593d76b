// Tells the plugins of an agent that one of its sessions has ended: beside everything else, bounded in time, and hurting nobody.

import { cancelled, Scope } from './abort.ts';
import type { Agent, ReportCompletion, ReportPlugin } from './agent.ts';
import { pluginTime } from './defaults.ts';
import { AgentError, messageOf } from './errors.ts';
import type { SessionEnd } from './events.ts';
import { inTime, inWords } from './in-time.ts';
import { type JsonObject, toJson } from './json.ts';
import { textOf } from './message.ts';
import { readMetadata } from './middleware/report-metadata.ts';
import type { Outcome } from './outcome.ts';
import type { Request } from './pauses.ts';
import type { Ports } from './ports.ts';
import type { PluginRunOptions } from './report-plugin.ts';
import type { Run } from './run.ts';
import type { Setting } from './setting.ts';

export interface Telling {
  readonly run: Run;
  readonly setting: Setting & { readonly request: Request };
  /** Starts another tree. */
  readonly ask: Ask;
}

type Ask = (
  agent: Agent,
  prompt: string | JsonObject,
  options: PluginRunOptions & { readonly ports: Ports; readonly signal: AbortSignal },
) => Promise<Outcome>;

/** Waits for the last fact of the session: from there on everything is known, and struck as for whoever looks on. */
export function tellPlugins({ run, setting, ask }: Telling): void {
  const { agent, place } = setting;
  const { plugins = [] } = agent;
  if (plugins.length === 0) return;
  const stop = run.listen(
    (event) => {
      if (event.type !== 'session-end' || event.trace.selfId !== place.id) return;
      stop();
      const { status } = event.ending;
      if (status !== 'completed' && status !== 'partial') return;
      for (const plugin of plugins) startWork(plugin, { run, setting, ask }, event);
    },
    { hints: false },
  );
}

function startWork(plugin: ReportPlugin, telling: Telling, end: SessionEnd): void {
  const { run, setting } = telling;
  const { clock, plugins: told } = run.ports;
  const { name: agentName } = setting.agent;
  const { workMs: durationMs } = pluginTime;
  const about = `The plugin ${plugin.name} of ${agentName}`;
  const late = () => new AgentError('tool-timeout', `it was not done within ${inWords(durationMs)}`);
  // Not in the stack of the session, and not under its scope, which is closed with it.
  let held: Promise<unknown> | undefined;
  const done = Promise.resolve()
    .then(() => held?.catch(() => {}))
    .then(() =>
      inTime({ clock, durationMs, scope: new Scope(() => clock.now()), late }, (scope) =>
        work(plugin, telling, { end, scope }),
      ),
    )
    .then(
      () => undefined,
      (error: unknown) => run.secrets.show(`${about} failed: ${messageOf(error)}`),
    );
  try {
    const startAfter = (released: Promise<unknown>) => {
      held = released;
    };
    const heard = told?.({ plugin: plugin.name, agentName, sessionId: setting.place.id, done, startAfter });
    if (heard instanceof Promise) heard.catch(() => {});
  } catch {
    // Whoever looks on must not hurt what is looked at.
  }
}

interface Ended {
  readonly end: SessionEnd;
  readonly scope: Scope;
}

/** A run that the plugin started is a part of its work, whether it waits for it or not. */
async function work(plugin: ReportPlugin, telling: Telling, { end, scope }: Ended): Promise<void> {
  const runs: Promise<Outcome>[] = [];
  const completion = toCompletion(plugin, telling, end);
  const ports = portsFor(telling.run);
  const own = new Scope(scope);
  try {
    await plugin.onComplete({
      ...completion,
      createSession(agent, prompt, options = {}) {
        const envOverlay = telling.setting.env;
        const outcome = telling.ask(agent, prompt, { envOverlay, ...options, ports, signal: own.signal });
        // Whoever does not wait for it does not hear that it could not be made.
        outcome.catch(() => {});
        runs.push(outcome);
        return outcome;
      },
    });
    for (let i = 0; i < runs.length; i++) await runs[i]?.catch(() => {});
  } finally {
    own.abort(cancelled(`The plugin ${plugin.name} is done.`));
    own.close();
  }
}

/** The books, the long results and the workspace belong to one tree. */
function portsFor({ ports: { budget: _budget, outputs: _outputs, workspace: _workspace, ...ports } }: Run): Ports {
  return ports;
}

/** A copy for each: what one changes in it is its own. */
function toCompletion(
  plugin: ReportPlugin,
  { run, setting: { request, output } }: Telling,
  { ending, trace, endedAt }: SessionEnd,
): Omit<ReportCompletion, 'createSession'> {
  const { records } = run;
  const { selfId: sessionId, originId, agentName: agentId, callPath: agentPath } = trace;
  const start = records.factsOf(sessionId).find((fact) => fact.type === 'session-start');
  const { text: content, report, metadata } = ending;
  const pluginData = metadata && Object.hasOwn(metadata, plugin.name) ? metadata[plugin.name] : undefined;
  const known = {
    sessionId,
    originId,
    agentId,
    agentPath,
    userRequest: request.text,
    messages: records.conversations.of(sessionId) ?? [],
    finalReport: {
      format: start?.output.format ?? output.format,
      content,
      ...(report === undefined ? {} : { content_json: report }),
      ...(metadata ? { metadata } : {}),
      ts: endedAt,
    },
    ...(pluginData === undefined ? { problems: problemsFor(plugin, run, sessionId) } : { pluginData }),
    fromCache: 'isCached' in ending && ending.isCached === true,
  };
  return toJson(known) as unknown as typeof known;
}

/** As the session itself found them: in what was said since the last call of a tool. */
function problemsFor(plugin: ReportPlugin, run: Run, sessionId: string): readonly string[] {
  let answers: string[] = [];
  for (const fact of run.records.factsOf(sessionId)) {
    if (fact.trace.selfId !== sessionId) continue;
    if (fact.type === 'tool-end') answers = [];
    if (fact.type === 'model-end' && fact.reply && !fact.step) answers.push(textOf(fact.reply.message));
  }
  return readMetadata(answers, [plugin]).problems.get(plugin.name) ?? [];
}
