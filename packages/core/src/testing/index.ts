// What tests of agents need: a scripted model, ports under control, and the seam's rules enforced.

export { type StrictOptions, strict } from '../runtime/strict.ts';
export { countingIds, FakeClock, fakePorts } from './fake-ports.ts';
export {
  type Script,
  type ScriptedCall,
  type ScriptedFailure,
  type ScriptedModel,
  type ScriptedModelOptions,
  type Step,
  scriptedModel,
  stepOf,
  toCallPart,
  toPieces,
  toReply,
} from './scripted-model.ts';
