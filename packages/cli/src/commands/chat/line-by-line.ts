// A talk of which every line is a message, for pipes and for terminals that can only print: answers go to stdout, and nothing else.

import { exitCodes } from '../../exit-codes.ts';
import type { Screen } from '../../render/screen.ts';
import type { Terminal } from '../../terminal.ts';
import { answerMessage } from './answer-message.ts';
import { goesOn, readTyped } from './message.ts';
import { runSlashCommand } from './slash-commands.ts';
import type { Talk } from './talk.ts';
import { TalkSignals } from './talk-signals.ts';
import { greet, recall } from './talk-words.ts';

/** The exit code of the last message that went wrong. */
export async function talkLineByLine(talk: Talk, terminal: Terminal): Promise<number> {
  const ending = new AbortController();
  const leave = () => ending.abort();
  const interrupt = () => {
    leave();
    return false;
  };
  const signals = new TalkSignals(terminal, { interrupt, leave });
  const stdout = new Separated(terminal.stdout);
  const onInterrupt: Terminal['onInterrupt'] = (round) => {
    // Who stops an answer does not want the next one.
    const stop = () => {
      round.stop();
      leave();
    };
    return signals.onInterrupt({ ...round, stop });
  };
  const isJson = talk.setting.request.print === 'json';
  const own = { ...terminal, ...(isJson ? {} : { stdout: stdout.screen }), onInterrupt };
  try {
    const onMessage = () => {
      stdout.begin();
      signals.expectRound();
    };
    const code = await hold(talk, own, { signal: ending.signal, onMessage });
    return signals.isOver || (ending.signal.aborted && code === exitCodes.ok) ? exitCodes.byClass.cancelled : code;
  } finally {
    signals.close();
  }
}

interface Holding {
  readonly signal: AbortSignal;
  readonly onMessage: () => void;
}

async function hold(talk: Talk, terminal: Terminal, { signal, onMessage }: Holding): Promise<number> {
  const { input, stderr } = terminal;
  const label = input.isTerminal ? `${talk.setting.about.agent}> ` : '';
  if (input.isTerminal) {
    await greet(talk, terminal);
    recall(talk, terminal);
  }
  let code: number = exitCodes.ok;
  stderr.write(label);
  for await (const text of messagesIn(input.lines(signal))) {
    const typed = readTyped(text);
    if ('command' in typed && (await runSlashCommand(typed.command, typed.rest, { talk, terminal, confirm }))) break;
    if ('message' in typed) {
      onMessage();
      code = (await answerMessage(talk, typed.message, { terminal })).code || code;
    }
    if (signal.aborted) break;
    stderr.write(label);
  }
  return code;
}

/** Nobody can be asked. */
const confirm = () => Promise.resolve(false);

/** Lines that go on are one message; what nobody closed ends with the input. */
async function* messagesIn(lines: AsyncIterable<string>): AsyncIterable<string> {
  let begun: string | undefined;
  for await (const line of lines) {
    const text: string = begun === undefined ? line : `${begun}\n${line}`;
    begun = goesOn(text) ? text : undefined;
    if (begun === undefined) yield text;
  }
  if (begun !== undefined) yield begun;
}

/** Between one answer and the next there is an empty line. */
class Separated {
  readonly screen: Screen;
  #isFirst = true;
  #isBegun = true;

  constructor(stdout: Screen) {
    const write = (text: string) => {
      const space = this.#isBegun || this.#isFirst ? '' : '\n';
      this.#isBegun = true;
      this.#isFirst = false;
      return stdout.write(`${space}${text}`);
    };
    this.screen = Object.create(stdout, { write: { value: write } });
  }

  begin(): void {
    this.#isBegun = false;
  }
}
