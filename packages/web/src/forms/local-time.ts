// A moment, as data has it and as a clock on the wall shows it.

/** `2026-03-01T09:30`, by the clock of whoever looks. Undefined for what is no moment; nothing stays nothing. */
export function toLocalTime(instant: string): string | undefined {
  if (instant === '') return '';
  const at = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i.test(instant) ? new Date(instant) : undefined;
  if (!at || Number.isNaN(at.getTime())) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function toInstant(local: string): string {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? local : at.toISOString();
}
