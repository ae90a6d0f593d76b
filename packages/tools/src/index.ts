// Tools from outside: the public surface of this package, by hand. What talks to servers is loaded when it is needed.

export { entryKeys, type McpServerConfig, type OpenapiSpecConfig, type RestToolConfig } from './entry-types.ts';
export { findLogin, isSignedIn, type Login } from './logins.ts';
export { fileTokenStore } from './oauth/file-token-store.ts';
export type { TokenStore } from './oauth/token-store.ts';
export { Queues } from './queues.ts';
export type { QueueSize, SetUpProblem, ToolSection, ToolSetUp } from './set-up.ts';
export type { Surroundings, Traffic } from './surroundings.ts';
export { createToolset, type OutsideSource, type ToolEntry, type Toolset } from './toolset.ts';
