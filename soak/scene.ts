// What a soak plays on: the engine, a worker that may die, and the stand-in that both talk to.

import { join } from 'node:path';
import type { RunResult } from './checks.ts';
import { Engine } from './engine.ts';
import type { Processes, Started } from './processes.ts';
import { StandIn } from './stand-in.ts';
import { freePorts, waitFor } from './wait.ts';

export interface SceneOptions {
  readonly processes: Processes;
  /** Where the worker and its packages are. */
  readonly folder: string;
  readonly data: string;
  say(text: string): void;
}

export interface Planned {
  /** The id of the run. */
  readonly run: string;
  readonly workflow: string;
  /** Whether each reader goes on from the one before. @default false */
  readonly isKept?: boolean;
}

export class Scene {
  readonly standIn = new StandIn();
  readonly engine: Engine;
  readonly #options: SceneOptions;
  readonly #url: string;
  readonly #port: number;
  #worker: Started | undefined;

  static async set(options: SceneOptions): Promise<Scene> {
    const [port = 0, standIn = 0, ...ports] = await freePorts(5);
    return new Scene(options, { port, standIn, ports });
  }

  private constructor(options: SceneOptions, at: { port: number; standIn: number; ports: readonly number[] }) {
    this.#options = options;
    this.#port = at.port;
    this.#url = this.standIn.listen(at.standIn);
    this.engine = new Engine({ ...options, ports: at.ports });
  }

  async open(): Promise<void> {
    await this.engine.ready();
    await this.startWorker();
    await this.engine.register(`http://127.0.0.1:${this.#port}`);
    this.say(`engine ${this.engine.process.pid} knows the worker`);
  }

  close(): void {
    this.standIn.close();
  }

  say(text: string): void {
    this.#options.say(text);
  }

  /** Always at the same port: the engine finds the new one where the old one was. */
  async startWorker(): Promise<void> {
    const { processes, folder } = this.#options;
    const args = [join(folder, 'worker.ts'), String(this.#port), this.#url];
    const worker = processes.start({ name: 'worker', file: process.execPath, args, env: {} });
    this.#worker = worker;
    await waitFor('the worker is up', () => worker.said().includes('ready') || undefined);
    this.say(`worker ${worker.pid} serves on port ${this.#port}`);
  }

  async killWorker(): Promise<number | undefined> {
    await this.#worker?.kill();
    return this.#worker?.pid;
  }

  /** Until exactly these are held. */
  async waitForCalls(calls: readonly string[]): Promise<void> {
    await waitFor(`[${calls}] are under way`, () => this.standIn.waiting.join() === calls.join() || undefined);
  }

  /** Until every call that got its answer is on record. */
  async waitForRecords(run: string): Promise<void> {
    const { asked, waiting } = this.standIn;
    const answered = [...asked.keys()].filter((call) => isOf(run, call) && !waiting.includes(call));
    const isRecorded = async () => {
      const recorded = await this.engine.recorded(run);
      return answered.every((call) => recorded.includes(call)) || undefined;
    };
    await waitFor('what was answered is on record', isRecorded);
  }

  /** Waits for the end. */
  async resultOf({ run, workflow, isKept = false }: Planned): Promise<RunResult> {
    const { outcome, facts } = await this.engine.result<Pick<RunResult, 'outcome' | 'facts'>>(workflow, run);
    const asked = new Map([...this.standIn.asked].filter(([call]) => isOf(run, call)));
    return { run, isKept, outcome, facts, asked, standing: await this.engine.standing(run) };
  }

  /** The last that was said behind the scene. */
  get said(): string {
    return `The engine said: ${this.engine.process.said()}\nThe worker said: ${this.#worker?.said()}`;
  }
}

function isOf(run: string, call: string): boolean {
  return call.split(/[~/]/)[0] === run;
}
