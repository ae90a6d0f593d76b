// Keys and other values that no error may show, in whatever form they come back to us.

/** Takes out what would hide nothing and strike out half of every sentence. */
const minSecretLength = 3;

/** All forms in which a value may appear in a text, longest first: a secret may be part of another one. */
export function formsOf(secrets: readonly string[]): readonly string[] {
  const forms = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, inJson(secret), inJson(inJson(secret)), inAddress(secret), inPage(secret)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

export function strikeOut(text: string, forms: readonly string[]): string {
  return forms.reduce((kept, form) => kept.replaceAll(form, '***'), text);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAddress(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text;
}

function inPage(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
