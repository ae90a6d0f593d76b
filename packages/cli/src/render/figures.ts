// Durations as people read them.

export function inTime(durationMs: number): string {
  const seconds = Math.max(0, durationMs) / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} m ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3_600)} h ${two(Math.floor(whole / 60) % 60)} m`;
}

function two(count: number): string {
  return String(count).padStart(2, '0');
}
