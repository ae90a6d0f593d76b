// Agents as files: the public surface of this package, by hand.

export { type ApiKey, type ApiSettings, type ReadApi, readApiSettings } from './config/api-settings.ts';
export { type CacheFolder, cacheFolderOf } from './config/cache-folder.ts';
export { type EmbedSettings, type ReadEmbed, readEmbedSettings } from './config/embed-settings.ts';
export { hashOfKey } from './config/hash-of-key.ts';
export { type ReadSlack, readSlackSettings, type SlackConfig, type SlackRouteConfig } from './config/slack-settings.ts';
export {
  type ReadStoreSettings,
  readStoreSettings,
  type StoreSettings,
  storeSettingsOf,
} from './config/store-settings.ts';
export { findAgentFiles } from './discover.ts';
export type { LoadedAgent, SessionOptions } from './loaded-agent.ts';
export { meantFile } from './meant-file.ts';
export { toEnvLines } from './missing-variables.ts';
export {
  defaultFlags,
  flagBudgetOf,
  flags,
  readDefaultFlags,
  readFlags,
  readOverrides,
  spellingsOf,
} from './options/command-line.ts';
export type { Effective } from './options/effective.ts';
export { toMs } from './options/kinds.ts';
export { groups, type Option, toFlag, type Where } from './options/option.ts';
export type { Said } from './options/read-options.ts';
export { options } from './options/table.ts';
export { elsewhereOf, toMarkdown } from './options/to-markdown.ts';
export { type Place, type Problem, Problems, toError, toLine, toShort, withoutRepeats } from './problem.ts';
export { type HostFacts, promptVariables } from './prompt/variables.ts';
export { type RegistryRunOptions, SubagentRegistry } from './registry.ts';
export type { Role } from './role.ts';
export { toTemplate } from './template.ts';
export { toYaml } from './to-yaml.ts';
export type {
  Choice,
  ModelSetUp,
  NamedModel,
  NamedTools,
  Providers,
  QueueSize,
  SetUpProblem,
  ToolEntry,
  ToolSection,
  ToolSets,
  ToolSetUp,
  WellKnown,
  World,
} from './world.ts';
