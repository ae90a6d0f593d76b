// The same promise through every door: in process, under the rules of the seam, and over real HTTP.

import { type Agent, inProcess, type Model, type RuntimeFactory } from '@ai-agent/cli';
import { type Script, scriptedHttpModel, scriptedModel, strict } from '@ai-agent/cli/testing';
import { afterAll, describe } from 'vitest';

export const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface Door {
  readonly name: string;
  readonly runtime: RuntimeFactory;
  /** A model that follows the script, behind this door. */
  model(script: Script): Promise<Model>;
  agent(name: string, script: Script, more?: Partial<Agent>): Promise<Agent>;
}

const strictly = strict(inProcess, { nextTick });

export function throughEveryDoor(promise: string, tests: (door: Door) => void): void {
  describe(promise, () => {
    describe('in process', () => tests(toDoor('in process', inProcess, async (script) => scriptedModel(script))));
    describe('under the rules of the seam', () =>
      tests(toDoor('strict', strictly, async (script) => scriptedModel(script))));
    describe('over real HTTP', () => {
      const open: (() => Promise<void>)[] = [];
      afterAll(async () => {
        for (const close of open.splice(0)) await close();
      });
      const serve = async (script: Script) => {
        const model = await scriptedHttpModel(script);
        open.push(() => model.close());
        return model;
      };
      tests(toDoor('http', strictly, serve));
    });
  });
}

function toDoor(name: string, runtime: RuntimeFactory, model: Door['model']): Door {
  return {
    name,
    runtime,
    model,
    async agent(name, script, more = {}) {
      return {
        name,
        description: `does ${name}`,
        instructions: `You are ${name}.`,
        ...more,
        model: await model(script),
      };
    },
  };
}
