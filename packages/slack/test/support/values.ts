// Reads what came over the wire and has no type yet.

export type Thing = Record<string, unknown>;

export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function thingOf(value: unknown): Thing {
  return isThing(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function thingsOf(value: unknown): Thing[] {
  return Array.isArray(value) ? value.map(thingOf) : [];
}
