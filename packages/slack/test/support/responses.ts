// Answers to what somebody pressed or typed: by `response_url`, or in the acknowledgement of a command.
import { newResponsePath } from './interactions.ts';
import { type Thing, textOf, thingsOf } from './values.ts';
import type { Message, Workspace } from './workspace.ts';

interface Origin {
  readonly channel: string;
  readonly user: string;
  /** What the button stood in. */
  readonly message?: Message | undefined;
  uses: number;
}

const MAX_USES = 5;

export class Responses {
  readonly #origins = new Map<string, Origin>();
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  newPath(origin: Omit<Origin, 'uses'>): string {
    const path = newResponsePath();
    this.#origins.set(path, { ...origin, uses: 0 });
    return path;
  }

  /** False where Slack no longer knows the address. */
  respond(path: string, body: Thing): boolean {
    const origin = this.#origins.get(path);
    if (origin === undefined || origin.uses >= MAX_USES) return false;
    origin.uses += 1;
    const { message } = origin;
    if (body.delete_original === true && message !== undefined) this.#remove(message);
    else if (body.replace_original === true && message !== undefined)
      this.#workspace.change(message, () => {
        message.text = textOf(body.text);
        message.blocks = this.#workspace.withIds(thingsOf(body.blocks));
        message.edits += 1;
      });
    else this.#add(origin, body);
    return true;
  }

  #add({ channel, user, message }: Origin, body: Thing): void {
    const given = {
      channel,
      user: this.#workspace.bot,
      bot_id: this.#workspace.botId,
      text: textOf(body.text),
      blocks: thingsOf(body.blocks),
      ...(body.thread_ts === undefined ? {} : { thread_ts: textOf(body.thread_ts) }),
    };
    if (body.response_type === 'in_channel') this.#workspace.post(given);
    else
      this.#workspace.ephemerals.push(
        this.#workspace.toMessage({ ...given, ephemeralFor: message?.ephemeralFor ?? user }),
      );
  }

  #remove(message: Message): void {
    const { ephemerals } = this.#workspace;
    if (message.ephemeralFor === undefined) this.#workspace.remove(message);
    else ephemerals.splice(ephemerals.indexOf(message), 1);
  }
}
