// Moments as people read them, by the clock of this machine.

/** `2026-01-31 09:30` */
export function toMinute(at: number): string {
  const moment = new Date(at);
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** `2026-01-31 09:30:12` */
export function toSecond(at: number): string {
  return `${toMinute(at)}:${two(new Date(at).getSeconds())}`;
}

function two(count: number): string {
  return String(count).padStart(2, '0');
}
