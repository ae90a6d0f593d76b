// Names that every provider accepts, and finding the tool a model meant.

const maxLength = 64;

/** `research.icp` becomes `research_icp`; what is too long is cut and told apart by a hash of the whole. */
export function toSafeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]/g, '_') || '_';
  if (safe.length <= maxLength) return safe;
  return `${safe.slice(0, maxLength - 9)}_${hash(name)}`;
}

export function agentToolName(name: string): string {
  return toSafeName(`agent__${name}`);
}

/** Exactly as offered; else with or without its prefix, when exactly one tool fits. */
export function findName(called: string, offered: readonly string[]): string | undefined {
  if (offered.includes(called)) return called;
  const safe = toSafeName(called);
  if (offered.includes(safe)) return safe;
  const fitting = offered.filter((name) => withoutPrefix(name) === safe || name === withoutPrefix(safe));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function withoutPrefix(name: string): string {
  const end = name.indexOf('__');
  return end > 0 ? name.slice(end + 2) : name;
}

/** FNV-1a, 32 bits: enough to tell two long names apart; collisions are found when tools are gathered. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
