// `ai-agent/testing`: what tests of agents need, in process and over real HTTP.

import './oldest-node.ts';

export {
  countingIds,
  FakeClock,
  fakePorts,
  type Script,
  type ScriptedCall,
  type ScriptedFailure,
  type ScriptedModel,
  type ScriptedModelOptions,
  type Step,
  type StrictOptions,
  scriptedModel,
  strict,
} from '@ai-agent/core/testing';
export {
  type ScriptedHttpModel,
  type ScriptedServer,
  type ScriptedServerOptions,
  scriptedHttpModel,
  serveScript,
} from '@ai-agent/models/testing';
