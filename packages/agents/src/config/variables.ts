// `${NAME}` in the texts of a configuration: which names there are, and other names for them.

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Each name once, in the order of reading. Anything else between the braces, such as `parameters.x`, is plain text. */
export function variablesIn(value: unknown): readonly string[] {
  return [...new Set(textsIn(value).flatMap((text) => [...text.matchAll(variable)].map(([, name = '']) => name)))];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The same value with variables under other names; a name that is not in `names` stays. */
export function renameVariables<T>(value: T, names: ReadonlyMap<string, string>): T {
  const rename = (text: string) =>
    text.replace(variable, (whole, name: string) => (names.has(name) ? `\${${names.get(name)}}` : whole));
  return withTexts(value, rename) as T;
}

/** The same value with what the variables hold; one that is not there is empty. */
export function fillVariables<T>(value: T, variables: Readonly<Record<string, string>>): T {
  return withTexts(value, (text) =>
    text.replace(variable, (_, name: string) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : '')),
  ) as T;
}

function withTexts(held: unknown, change: (text: string) => string): unknown {
  if (typeof held === 'string') return change(held);
  if (Array.isArray(held)) return held.map((one) => withTexts(one, change));
  if (typeof held !== 'object' || held === null) return held;
  return Object.fromEntries(Object.entries(held).map(([key, part]) => [key, withTexts(part, change)]));
}
