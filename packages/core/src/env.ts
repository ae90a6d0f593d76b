// The variables a session may see: its own, and nothing of the process.

/** The variables one session may see. Immutable. */
export type EnvOverlay = Readonly<Record<string, string>>;

/** Whether a variable is named like a secret: one of its words ends like one, as in API_KEY, apiKeyOfMine, PGPASSWORD. */
export function isSecretName(name: string): boolean {
  if (!/KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name)) return false;
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2');
  return /(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?(?![A-Z])/i.test(words);
}
