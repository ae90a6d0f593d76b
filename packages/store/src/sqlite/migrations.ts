// What the tables are, change by change: the number of a change is the version of a file that has it. One that was published is never edited.

/** Marks a file as one of ours. */
export const applicationId = 0x61_69_61_67;

/** How many facts of a session there can be: the keys of one follow each other, so that they lie beside each other in the file. */
export const factsPerSession = 2 ** 24;

const first = `
  CREATE TABLE sessions (
    -- Never given again: facts of one that was deleted may still be there.
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    owner TEXT,
    user TEXT,
    agent TEXT NOT NULL,
    headend TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    resumptions INTEGER NOT NULL,
    writer TEXT NOT NULL,
    facts INTEGER NOT NULL DEFAULT 0,
    -- Of its facts, about.
    bytes INTEGER NOT NULL DEFAULT 0,
    head TEXT NOT NULL
  );
  -- Each holds all that sessions are found by, so that looking through many of them reads no head.
  CREATE INDEX sessions_by_time ON sessions (created_at, number, owner, user, agent, headend, status);
  CREATE INDEX sessions_by_owner ON sessions (owner, created_at, number, user, agent, headend, status);
  CREATE INDEX sessions_by_user ON sessions (user, created_at, number, owner, agent, headend, status)
    WHERE user IS NOT NULL;
  CREATE INDEX sessions_by_agent ON sessions (agent, created_at, number, owner, user, headend, status);
  CREATE INDEX sessions_by_status ON sessions (status, created_at, number, owner, user, agent, headend);
  CREATE INDEX sessions_by_headend ON sessions (headend, created_at, number, owner, user, agent, status);
  CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX sessions_under_way ON sessions (writer) WHERE status IN ('queued', 'running');

  -- The key is the number of the session times ${factsPerSession}, and the number of the fact, from one.
  CREATE TABLE facts (key INTEGER PRIMARY KEY, json TEXT NOT NULL);

  CREATE TABLE pauses (handle TEXT PRIMARY KEY, kept_at INTEGER NOT NULL, json TEXT NOT NULL);
  CREATE INDEX pauses_by_time ON pauses (kept_at);

  CREATE TABLE notes (name TEXT PRIMARY KEY, until INTEGER NOT NULL, json TEXT NOT NULL);
  CREATE INDEX notes_by_time ON notes (until);

  -- Who writes, and the last batch of each with what it came to.
  CREATE TABLE writers (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started TEXT,
    seen INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    answers TEXT NOT NULL
  );

  -- Sessions that were deleted, and have facts yet.
  CREATE TABLE doomed (session INTEGER PRIMARY KEY);
`;

export const migrations: readonly string[] = [first];
