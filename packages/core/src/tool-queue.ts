// The row in front of a tool: who may call it when.

/** Shared by every session that has the tool. */
export interface ToolQueue {
  /** Waits until it is this call's turn; what it gives is called once, when the call is over or waits for others. Rejects as the signal says. */
  enter(entrant: QueuedCall): LeaveQueue | Promise<LeaveQueue>;
}

export interface QueuedCall {
  /** Whose call it is: owners take turns. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Whether it was in before, and left while it waited for others: it is no new call. @default false */
  readonly isBack?: boolean;
}

export type LeaveQueue = () => void;
