// The durable engine of the soak, from outside: its process, what it has recorded, and the runs it is asked for.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Processes, Started } from './processes.ts';
import { waitFor } from './wait.ts';

export interface EngineOptions {
  readonly processes: Processes;
  /** Where its packages are installed. */
  readonly folder: string;
  /** Where it keeps its records. */
  readonly data: string;
  /** Three that are free. */
  readonly ports: readonly number[];
}

export class Engine {
  readonly process: Started;
  readonly #ingress: string;
  readonly #admin: string;

  constructor({ processes, folder, data, ports: [ingress, admin, node] }: EngineOptions) {
    const bundle = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
    this.#ingress = `http://127.0.0.1:${ingress}`;
    this.#admin = `http://127.0.0.1:${admin}`;
    this.process = processes.start({
      name: 'the engine',
      file: createRequire(join(folder, 'package.json')).resolve(bundle),
      args: ['--no-logo', '--listen-mode', 'tcp', '--base-dir', data, '--node-name', 'soak'],
      cwd: data,
      env: {
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
        RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
        RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
        RESTATE_DISABLE_TELEMETRY: 'true',
        RESTATE_DEFAULT_NUM_PARTITIONS: '4',
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
        RESTATE_DEFAULT_RETRY_POLICY__INITIAL_INTERVAL: '100ms',
        RESTATE_DEFAULT_RETRY_POLICY__MAX_INTERVAL: '500ms',
        RESTATE_LOG_DISABLE_ANSI_CODES: 'true',
      },
    });
  }

  async ready(): Promise<void> {
    await waitFor('the engine is up', () => ask(`${this.#admin}/health`), 60_000);
    await waitFor('the engine takes calls', () => ask(`${this.#ingress}/restate/health`), 60_000);
  }

  /** Says where the handlers are served. */
  async register(uri: string): Promise<void> {
    await waitFor('the engine knows the worker', () => ask(`${this.#admin}/deployments`, { uri }));
  }

  async start(workflow: string, key: string, input: unknown): Promise<void> {
    await ask(`${this.#ingress}/${workflow}/${key}/run/send`, input);
  }

  /** The engine tells the run, and the run tells what is below it. */
  async cancel(run: string): Promise<void> {
    const [root] = await this.#query(`SELECT i.id AS id FROM sys_invocation i WHERE i.target_service_key = '${run}'`);
    await ask(`${this.#admin}/invocations/${root?.id}/cancel`, {}, 'PATCH');
  }

  /** What the run gave, once it is over. */
  async result<T>(workflow: string, key: string): Promise<T> {
    return (await ask(`${this.#ingress}/restate/workflow/${workflow}/${key}/attach`)) as T;
  }

  /** Steps whose value is on record, as `session/operation`. */
  async recorded(run: string): Promise<readonly string[]> {
    const rows = await this.#query(
      `SELECT i.target_service_key AS session, j.entry_lite_json AS entry FROM sys_journal j
       JOIN sys_invocation i ON i.id = j.id WHERE j.entry_type LIKE '%: Run' AND ${isOf(run)}`,
    );
    const entries = rows.map(({ session, entry }) => ({ session, ...(JSON.parse(entry ?? '{}') as Entry) }));
    const isDone = (session: string | undefined, id: number) =>
      entries.some((entry) => entry.session === session && entry.Notification?.id.CompletionId === id);
    return entries
      .flatMap(({ session, Command: { Run: step } = {} }) =>
        step && isDone(session, step.completion_id) ? [`${session}/${step.name}`] : [],
      )
      .sort();
  }

  /** How the sessions of a run stand, by id. */
  async standing(run: string): Promise<Readonly<Record<string, string>>> {
    const rows = await this.#query(
      `SELECT i.target_service_key AS session, i.status AS status FROM sys_invocation i WHERE ${isOf(run)}`,
    );
    return Object.fromEntries(rows.map(({ session = '', status = '' }) => [session, status]));
  }

  async #query(query: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const { rows } = (await ask(`${this.#admin}/query`, { query })) as { rows: Record<string, string>[] };
    return rows;
  }
}

/** A line of the engine's journal, as far as it is read here. */
interface Entry {
  readonly Command?: { readonly Run?: { readonly completion_id: number; readonly name: string } };
  readonly Notification?: { readonly id: { readonly CompletionId?: number } };
}

function isOf(run: string): string {
  return `(i.target_service_key = '${run}' OR i.target_service_key LIKE '${run}~%')`;
}

async function ask(url: string, body?: unknown, method = 'POST'): Promise<unknown> {
  const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(url, {
    headers,
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}
