// Agents over HTTP: the whole surface of the package, by hand.

export type { NoteStore, SessionHead, SessionQuery, SessionStatus, SessionStore } from '@ai-agent/core';
export type { AllowanceSettings } from './allowances.ts';
export { answer } from './answer.ts';
export { type AppOptions, createApp, type Headend } from './app.ts';
export type { Answering, Asked } from './asked.ts';
export type { DoorOptions, Inside } from './door.ts';
export { type Exposure, isLoopback, isWildcard, mayListen } from './exposure.ts';
export { Hall, type HallOptions } from './hall.ts';
export { type AnthropicOptions, anthropic } from './headends/anthropic/anthropic.ts';
export { type EmbedOptions, embed } from './headends/embed/embed.ts';
export type { EmbedProfile } from './headends/embed/guests.ts';
export { type McpRoutesOptions, type McpTransport, mcp } from './headends/mcp/mcp.ts';
export { loadMcpOver, type OverStreams, type StreamsOptions, serveMcpOver } from './headends/mcp/over-streams.ts';
export { type OpenaiOptions, openai } from './headends/openai/openai.ts';
export { rest } from './headends/rest/rest.ts';
export { site } from './headends/site/site.ts';
export type { Site, SiteFile } from './headends/site/site-files.ts';
export { hashOf, type KeySettings, Keys } from './keys.ts';
export { type Listening, type ListenOptions, listen } from './listen.ts';
export { MemorySessions, type MemorySessionsOptions } from './memory-sessions.ts';
export { namesOfMachine } from './origins.ts';
export { defaultPlaces, type PlacesOptions } from './places.ts';
export type { Refusal } from './refusals.ts';
export { type Resumed, resume } from './resume.ts';
export { reservedNames, type ServedAgent, type ServedSettings } from './served-agent.ts';
export { anybody, type Visitor } from './visitor.ts';
