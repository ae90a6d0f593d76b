// The ten fields that tell where in a tree something happened.

/** Where in the tree something happened. On every fact, hint, log record, ledger entry and tree node. */
export interface Trace {
  /** The session at the root of the tree. */
  readonly originId: string;
  /** The session that called this one; null at the root. */
  readonly parentId: string | null;
  readonly selfId: string;
  /** Agent names from the root, joined by colons; never an instance number. */
  readonly callPath: string;
  /** Turn and operation from the root: `2.1-1.0` is turn 2, call 1, and there the model call of turn 1. */
  readonly turnPath: string;
  readonly agentName: string;
  /** Identity of the agent: two agents of one name have different ids. */
  readonly agentId: string;
  readonly instanceName: string;
  /** The tool it is about, else the tool this session was called as; null at the root. */
  readonly toolName: string | null;
  /** The call it is about, else the call that started this session, else the origin. */
  readonly correlationId: string;
}
