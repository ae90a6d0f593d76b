// The signals that end a server: the first one gently, the next one at once.

/** What can be ended in two steps. */
export interface Stoppable {
  /** No new runs; those that run have their time. */
  stop(signal: StopSignal): void;
  /** Nobody waits any longer. */
  cancel(signal: StopSignal): void;
  /** The process ends whatever is under way. */
  abandon(signal: StopSignal): void;
}

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** npx and others hand on what the terminal has sent already: so soon it is the same one again. */
const echoMs = 80;

/** SIGHUP is left to the system: below nohup it means nothing. Heard until the process is gone. */
export function listenForStops(server: Stoppable): void {
  const steps = [server.stop, server.cancel, server.abandon] as const;
  const heardAt = new Map<StopSignal, number>();
  let step = 0;
  const onSignal = (signal: StopSignal) => {
    const now = performance.now();
    if (now - (heardAt.get(signal) ?? -echoMs) < echoMs) return;
    heardAt.set(signal, now);
    steps[Math.min(step++, steps.length - 1)]?.call(server, signal);
  };
  process.on('SIGINT', () => onSignal('SIGINT'));
  process.on('SIGTERM', () => onSignal('SIGTERM'));
}
