// The scenario every contender runs: a parent with sub-agents, all called at once; each uses its tool once, then reports.

/** What a contender is given. It is also what `adapter.mjs` is given by an outside harness. */
export interface Scenario {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  /** Sub-agents of the parent. */
  readonly fanout: number;
  /** All calls of models are streamed, and the text is read as it comes. */
  readonly stream: boolean;
  readonly parentSystem: string;
  readonly childSystem: string;
  /** What the user says in the session with this id. */
  prompt(id: string): string;
}

/** A contender that is set up. Sessions share nothing but connections. */
export interface Contender {
  /** One session: the parent's last words. */
  run(id: string): Promise<string>;
}

export type SetUp = (scenario: Scenario) => Promise<Contender>;

/** Model calls that follow each other in one session: the parent, a sub-agent twice, the parent again. */
export const callsInARow = 4;

export function toScenario(baseURL: string, fanout: number, stream: boolean): Scenario {
  return {
    baseURL,
    apiKey: 'none',
    model: 'stand-in',
    fanout,
    stream,
    parentSystem: `parent of ${fanout}\nYou coordinate. Call every sub-agent once, all at the same time, then answer.`,
    childSystem: 'child\nYou work. Use your tool once, then answer in short.',
    prompt: (id) => `job ${id}: find the answer`,
  };
}

export interface Amount {
  /** Sessions. */
  readonly count: number;
  readonly atATime: number;
  readonly fanOut: number;
}

/** Runs sessions and counts the right answers. The first wrong one is shown; a session that throws has none. */
export async function runSessions(contender: Contender, { count, atATime, fanOut }: Amount): Promise<number> {
  let started = 0;
  let right = 0;
  let wrong = 0;
  const runOneByOne = async () => {
    while (started < count) {
      const id = `s${started++}`;
      const text = await contender.run(id).catch(String);
      if (text.includes(`parent done ${id} ${fanOut} of ${fanOut}`)) right++;
      else if (wrong++ === 0) process.stderr.write(`Wrong answer in session ${id}: ${text}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, count) }, runOneByOne));
  return right;
}

/** For measurements that mean nothing when an answer is wrong. */
export async function runRightSessions(contender: Contender, amount: Amount): Promise<void> {
  const right = await runSessions(contender, amount);
  if (right < amount.count) throw new RangeError(`${right} of ${amount.count} answers were right.`);
}
