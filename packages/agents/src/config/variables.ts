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
  const rename = (held: unknown): unknown => {
    if (typeof held === 'string')
      return held.replace(variable, (whole, name: string) => (names.has(name) ? `\${${names.get(name)}}` : whole));
    if (Array.isArray(held)) return held.map(rename);
    if (typeof held !== 'object' || held === null) return held;
    return Object.fromEntries(Object.entries(held).map(([key, part]) => [key, rename(part)]));
  };
  return rename(value) as T;
}
