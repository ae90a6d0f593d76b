// Ids of agents, which tell agents of one name apart. Between servers an ancestor is written as `name~id` or `name~id@team`.

export interface AgentKey {
  readonly name: string;
  readonly id: string;
}

/** An agent without an id is identified by its name. */
export function idOf({ name, id = name }: { readonly name: string; readonly id?: string | undefined }): string {
  return id;
}

/** The name alone where the id is the same. An agent of a team of files gets the mark of the team, unless it has one. */
export function toAncestor({ name, id }: AgentKey, team?: string): string {
  if (id === name) return name;
  return team === undefined || id.includes('@') ? `${name}~${id}` : `${name}~${id}@${team}`;
}

/** Agents of this team get their plain ids. Ids of other teams keep the mark, so that equal paths are not taken for one agent. */
export function readAncestor(text: string, team?: string): AgentKey {
  const [name = '', id = name] = text.split('~', 2);
  return { name, id: team !== undefined && id.endsWith(`@${team}`) ? id.slice(0, -team.length - 1) : id };
}
