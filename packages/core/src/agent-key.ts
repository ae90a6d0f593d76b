// Ids of agents, which tell agents of one name apart. Between servers an ancestor is written as `name~id` or `name~id@team`.

export interface AgentKey {
  readonly name: string;
  readonly id: string;
}

interface Identity extends Partial<AgentKey> {
  readonly name: string;
  readonly team?: string;
}

/** The id, with `@` and the team's hash, since files of two teams may have equal paths. Without an id, the name is the id. */
export function idOf({ name, id = name, team }: Identity): string {
  return team === undefined ? id : `${id}@${team}`;
}

/** Removes the team's hash if the root is of the same team, so that ids do not depend on where the folder is. */
export function idWithinTeam(id: string, root: string): string {
  const at = id.lastIndexOf('@');
  return at > 0 && root.endsWith(id.slice(at)) ? id.slice(0, at) : id;
}

/** `name~id`, or the name alone if both are equal. */
export function toAncestor({ name, id }: AgentKey): string {
  return id === name ? name : `${name}~${id}`;
}

export function readAncestor(text: string): AgentKey {
  const [name = '', id = name] = text.split('~', 2);
  return { name, id };
}
