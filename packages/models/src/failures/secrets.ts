// Keys and other values that no error may show, in whatever form they come back to us.

/** Takes out what would hide nothing and strike out half of every sentence. */
const minSecretLength = 3;

/** All forms in which a value may appear in a text, longest first: a secret may be part of another one. */
export function formsOf(secrets: readonly string[]): readonly string[] {
  const forms = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

export function strikeOut(text: string, forms: readonly string[]): string {
  return forms.reduce((kept, form) => kept.replaceAll(form, '***'), text);
}

/** Whether somebody who prints the value, with all that hangs on it, would see a secret. */
export function isLeaking(value: unknown, forms: readonly string[]): boolean {
  const seen = new Set<unknown>([value]);
  // What is added on the way is visited too.
  for (const one of seen) {
    if (typeof one === 'string' && forms.some((form) => one.includes(form))) return true;
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue;
    for (const { value: held } of Object.values(Object.getOwnPropertyDescriptors(one))) seen.add(held);
    if (one instanceof Error) seen.add(one.stack);
  }
  return false;
}
