// What an agent may be to the one whose file names it: a tool, or a partner that works on the same request.

/** The key under which it is named. */
export type Role = 'agents' | 'advisors' | 'router' | 'handoff';

export interface RoleTraits {
  /** One of them, as in "lead.ai has it as …". */
  readonly noun: string;
  /** Whether a model chooses it by its description. */
  readonly needsDescription: boolean;
  /** Whether to name one file twice is a mistake. A tool is the same tool, named once or twice. */
  readonly isOnceOnly: boolean;
  readonly filesOf: (said: unknown) => readonly string[];
}

const asList = (said: unknown) => said as readonly string[];

/** In the order they are loaded. */
export const roles: Readonly<Record<Role, RoleTraits>> = {
  agents: { noun: 'a sub-agent', needsDescription: true, isOnceOnly: false, filesOf: asList },
  advisors: { noun: 'an advisor', needsDescription: false, isOnceOnly: true, filesOf: asList },
  router: {
    noun: 'a destination',
    needsDescription: true,
    isOnceOnly: true,
    filesOf: (said) => (said as { readonly destinations: readonly string[] }).destinations,
  },
  handoff: { noun: 'the next in line', needsDescription: false, isOnceOnly: true, filesOf: asList },
};

export const allRoles = Object.keys(roles) as readonly Role[];

/** The same for each role. */
export function byRole<T>(make: (role: Role) => T): Readonly<Record<Role, T>> {
  return Object.fromEntries(allRoles.map((role) => [role, make(role)])) as Record<Role, T>;
}
