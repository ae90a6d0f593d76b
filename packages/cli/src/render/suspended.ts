// Ctrl-Z and back: whoever draws on the terminal leaves it to the shell meanwhile.

export interface Suspended {
  /** Takes off the screen what is drawn. */
  leave(): void;
  /** Draws it again, wherever the cursor is now. */
  back(): void;
}

/** Returns how to let go. */
export function whenSuspended({ leave, back }: Suspended): () => void {
  // Windows has neither signal.
  if (process.platform === 'win32') return () => {};
  const onStop = () => {
    leave();
    // Whoever listens for the first is not stopped by it.
    process.kill(process.pid, 'SIGSTOP');
  };
  process.on('SIGTSTP', onStop).on('SIGCONT', back);
  return () => {
    process.off('SIGTSTP', onStop).off('SIGCONT', back);
  };
}
