// What an agent may call: allowed, asked for or denied, by globs over names of tools: whole, or as models see them.

import { checkKeys, type Owner, wrongField } from './complaint.ts';
import { toMatcher } from './glob.ts';
import { isObject } from './json.ts';
import type { OpenedTool } from './operation.ts';
import { type Denials, joinDenials } from './place.ts';

export interface Permissions {
  /** What it may call. @default everything that is not denied */
  readonly allow?: readonly string[];
  /** What a person has to approve each time, here and below. */
  readonly ask?: readonly string[];
  /** What may never be called, here and below. Goes before ask, and ask before allow. */
  readonly deny?: readonly string[];
}

/** What a session may call, by its agent's own permissions and the denials from above. */
export interface Rights {
  /** What holds below too. */
  readonly denials: Denials | undefined;
  readonly isDenied: (name: string) => boolean;
  readonly isAsked: (name: string) => boolean;
  readonly isAllowed: (name: string) => boolean;
}

/** Throws `agent-invalid`. */
export function checkPermissions(owner: Owner, permissions: unknown): void {
  if (permissions === undefined) return;
  if (!isObject(permissions)) throw wrongField(owner, 'permissions', permissions, 'an object with allow, ask or deny');
  checkKeys(owner, permissions, ['allow', 'ask', 'deny'], 'permissions.');
  for (const [key, globs] of Object.entries(permissions)) {
    if (globs === undefined) continue;
    if (!Array.isArray(globs))
      throw wrongField(owner, `permissions.${key}`, globs, 'a list of names of tools, or globs');
    // One that fits no name would deny nothing, and nobody would notice.
    const wrong = globs.findIndex((glob) => typeof glob !== 'string' || !/^[\p{L}\p{M}\p{N}_.*?-]+$/u.test(glob));
    if (wrong >= 0) throw wrongField(owner, `permissions.${key}[${wrong}]`, globs[wrong], glob);
  }
}

const glob =
  'the name of a tool as its model sees it, or the whole of it, such as github__get_issue: letters, digits, dots, dashes and underscores, with * for any of them and ? for one';

/** Nothing when nobody says anything: then everything may be called. */
export function rightsOf(own: Permissions | undefined, above: Denials | undefined): Rights | undefined {
  if (!own && !above) return undefined;
  // Thousands of sessions have the same agent and the same denials: what they come to is worked out once.
  const known = rights.get(own ?? none) ?? new WeakMap<object, Rights>();
  rights.set(own ?? none, known);
  const found = known.get(above ?? none) ?? toRights(own ?? none, above);
  known.set(above ?? none, found);
  return found;
}

const none: Permissions = {};
const rights = new WeakMap<Permissions, WeakMap<object, Rights>>();

function toRights({ allow, ask = [], deny = [] }: Permissions, above: Denials | undefined): Rights {
  const isMore = ask.length + deny.length > 0;
  const denials = isMore ? joinDenials(above, { ask, deny }) : above;
  return {
    denials,
    isDenied: toMatcher(denials?.deny ?? []),
    isAsked: toMatcher(denials?.ask ?? []),
    isAllowed: allow ? toMatcher(allow) : () => true,
  };
}

/** What a session knows of a tool beyond what it offers. */
interface Standing {
  /** What it is called beside the name that models see, which may be cut and in other letters. */
  readonly otherNames: readonly string[];
  /** Whether every session has it: then it needs no leave, and can only be denied. */
  readonly isBuiltIn: boolean;
}

/** The tools as a session with these rights has them: what it may not call is not offered. */
export function withRights(
  tools: readonly OpenedTool[],
  rights: Rights | undefined,
  standingOf: (tool: OpenedTool) => Standing,
): readonly OpenedTool[] {
  if (!rights) return tools;
  const known = permitted.get(tools) ?? new WeakMap<Rights, readonly OpenedTool[]>();
  permitted.set(tools, known);
  const found = known.get(rights) ?? Object.freeze(tools.map((tool) => withRight(tool, rights, standingOf(tool))));
  known.set(rights, found);
  return found;
}

// Sessions of one agent share their list of tools, and so they share this one.
const permitted = new WeakMap<readonly OpenedTool[], WeakMap<Rights, readonly OpenedTool[]>>();

function withRight(tool: OpenedTool, rights: Rights, { otherNames, isBuiltIn }: Standing): OpenedTool {
  const { name, asks } = tool;
  const isOne = (is: (name: string) => boolean) => is(name) || otherNames.some(is);
  if (isOne(rights.isDenied)) return denied(tool);
  if (isBuiltIn) return tool;
  if (isOne(rights.isAsked)) return asks === null ? Object.freeze({ ...tool, asks: 'approval' as const }) : tool;
  // A partner is no choice of the model: naming it is leave enough.
  return tool.partner || isOne(rights.isAllowed) ? tool : denied(tool);
}

function denied(tool: OpenedTool): OpenedTool {
  return Object.freeze({ ...tool, isOffered: false, isDenied: true });
}
