// Ids of agents, which tell agents of one name apart. Between servers an ancestor is written as `name~id` or `name~id@team`.

export interface AgentKey {
  readonly name: string;
  readonly id: string;
}

interface Identity extends Partial<AgentKey> {
  readonly name: string;
  readonly team?: string;
}

/** The id with the mark of the team, since files of two teams may have equal paths. An agent without an id is known by its name. */
export function idOf({ name, id = name, team }: Identity): string {
  return team === undefined ? id : `${id}@${team}`;
}

/** Removes the mark of the team if the root has the same one, so that ids do not depend on where the folder is. */
export function shortId(id: string, root: string): string {
  const mark = id.lastIndexOf('@');
  return mark > 0 && root.endsWith(id.slice(mark)) ? id.slice(0, mark) : id;
}

/** The name alone where the id is the same. */
export function toAncestor({ name, id }: AgentKey): string {
  return id === name ? name : `${name}~${id}`;
}

export function readAncestor(text: string): AgentKey {
  const [name = '', id = name] = text.split('~', 2);
  return { name, id };
}
