// A plugin of final reports: what metadata it wants beside the report, and whom to tell when the session has ended.

import type { Budget } from './budget.ts';
import { checkFields, complaint, type FieldType, type Owner, wrongField } from './complaint.ts';
import type { EnvOverlay } from './env.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';
import type { FilePart, Message } from './message.ts';
import type { OutputContract } from './model.ts';
import type { Outcome } from './outcome.ts';
import { checkSchema } from './schema.ts';

/** `A` is an agent, which this file knows nothing of. */
export interface ReportPluginOf<A> {
  /** Letters, digits, dots, dashes and underscores; the model writes it into its block. */
  readonly name: string;
  readonly requirements: PluginRequirements;
  /** Called when a session has ended as completed or partial. Nobody waits for it, and what it throws hurts nobody. */
  onComplete(completion: ReportCompletionOf<A>): void | Promise<void>;
}

/** In its texts the word NONCE becomes that of the session. */
export interface PluginRequirements {
  /** Of the metadata. */
  readonly schema: JsonSchema;
  /** What the metadata is about; in the system prompt. */
  readonly instructions: string;
  /** Said when metadata is asked for again. @default nothing more than what is wrong */
  readonly reminder?: string;
  /** How a report with metadata may look; in the system prompt. @default none */
  readonly example?: string;
}

export interface ReportCompletionOf<A> {
  readonly sessionId: string;
  readonly originId: string;
  /** The agent by its name. */
  readonly agentId: string;
  /** The names from the root to it, with colons between them. */
  readonly agentPath: string;
  /** What was asked in the first place. */
  readonly userRequest: string;
  /** The whole conversation, the system prompt first. */
  readonly messages: readonly Message[];
  readonly finalReport: FinalReport;
  /** Its own metadata, valid; missing when there was none. */
  readonly pluginData?: Json;
  /** What was wrong with its metadata, when there is none. */
  readonly problems?: readonly string[];
  /** Whether the report was kept from an earlier session. */
  readonly fromCache: boolean;
  /** Another run, a tree of its own, on the ports and variables of this one. It ends with the time of the plugin. */
  createSession(agent: A, prompt: string | JsonObject, options?: PluginRunOptions): Promise<Outcome>;
}

/** What a run that a plugin starts may be given. */
export interface PluginRunOptions {
  /** @default the agent's own */
  readonly output?: OutputContract;
  /** @default none */
  readonly history?: readonly Message[];
  /** @default none */
  readonly attachments?: readonly FilePart[];
  /** @default what the agent says */
  readonly budget?: Budget;
  /** @default the variables of the session that has ended */
  readonly envOverlay?: EnvOverlay;
}

export interface FinalReport {
  readonly format: OutputContract['format'];
  readonly content: string;
  /** The validated report of a JSON contract. */
  readonly content_json?: Json;
  /** All valid metadata, by the name of its plugin. */
  readonly metadata?: JsonObject;
  /** When the session ended, in milliseconds since 1970. */
  readonly ts: number;
}

const pluginTypes: Readonly<Record<keyof ReportPluginOf<unknown>, FieldType>> = {
  name: 'text',
  requirements: 'object',
  onComplete: 'function',
};

const requirementTypes: Readonly<Record<keyof PluginRequirements, FieldType>> = {
  schema: 'object',
  instructions: 'text',
  reminder: 'text',
  example: 'text',
};

/** Throws `agent-invalid` or `schema-invalid`. */
export function checkPlugins(owner: Owner, plugins: unknown): void {
  if (plugins === undefined) return;
  if (!Array.isArray(plugins)) throw wrongField(owner, 'plugins', plugins, 'a list of plugins');
  const names = new Set<string>();
  for (const [i, plugin] of plugins.entries()) {
    const field = `plugins[${i}]`;
    if (!isObject(plugin)) throw wrongField(owner, field, plugin, 'an object with name, requirements and onComplete');
    checkPlugin(owner, plugin, field);
    const name = plugin.name as string;
    if (names.has(name)) throw complaint(owner, `${field}.name is ${name}, as that of another plugin`);
    names.add(name);
  }
}

function checkPlugin(owner: Owner, plugin: Record<string, unknown>, field: string): void {
  checkFields(owner, plugin, pluginTypes, `${field}.`);
  const { name, requirements, onComplete } = plugin;
  // Metadata stands under it, and no record takes that one.
  if (typeof name !== 'string' || !/^[\w.-]{1,128}$/.test(name) || name === '__proto__')
    throw wrongField(
      owner,
      `${field}.name`,
      name,
      '1 to 128 letters, digits, dots, dashes or underscores, and not __proto__',
    );
  if (onComplete === undefined) throw wrongField(owner, `${field}.onComplete`, onComplete, 'a function');
  if (!isObject(requirements)) throw wrongField(owner, `${field}.requirements`, requirements, 'an object');
  checkFields(owner, requirements, requirementTypes, `${field}.requirements.`);
  const { schema, instructions } = requirements;
  if (instructions === undefined) throw wrongField(owner, `${field}.requirements.instructions`, instructions, 'text');
  if (!isObject(schema))
    throw wrongField(owner, `${field}.requirements.schema`, schema, 'a JSON Schema, which is an object');
  checkSchema(schema, `the schema of plugin ${name} of ${owner.name}`);
}
