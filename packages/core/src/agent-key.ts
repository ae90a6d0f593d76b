// Ids of agents, which tell agents of one name apart. Between servers an ancestor is written as `name~id`.

export interface AgentKey {
  readonly name: string;
  readonly id: string;
}

/** An agent without an id is identified by its name. */
export function idOf({ name, id = name }: { readonly name: string; readonly id?: string | undefined }): string {
  return id;
}

/** `name~id`, or the name alone where both are the same. */
export function toAncestor({ name, id }: AgentKey): string {
  return id === name ? name : `${name}~${id}`;
}

export function readAncestor(text: string): AgentKey {
  const [name = '', id = name] = text.split('~', 2);
  return { name, id };
}
