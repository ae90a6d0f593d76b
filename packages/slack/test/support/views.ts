// Views of the stand-in: what is opened with a trigger, and changed or pushed over.
import { type Thing, textOf, thingOf, thingsOf } from './values.ts';
import { Refusal, type Workspace } from './workspace.ts';

const TRIGGER_LIFE_MS = 3000;

export interface View extends Thing {
  readonly id: string;
  readonly blocks: Thing[];
  hash: string;
  isOpen: boolean;
}

export class Views {
  readonly all: View[] = [];
  readonly #triggers = new Map<string, number>();
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  newTrigger(): string {
    const id = `${Date.now()}.${this.#workspace.nextId('t')}`;
    this.#triggers.set(id, Date.now());
    return id;
  }

  /** As if three seconds had passed. */
  expireTriggers(): void {
    for (const id of this.#triggers.keys()) this.#triggers.set(id, 0);
  }

  open(args: Thing): Thing {
    this.#spend(textOf(args.trigger_id));
    return { view: toWireView(this.add(thingOf(args.view))) };
  }

  update(args: Thing): Thing {
    const view = this.all.find(
      ({ id, external_id }) => id === args.view_id || (external_id !== undefined && external_id === args.external_id),
    );
    if (view === undefined || !view.isOpen) throw new Refusal('not_found');
    if (args.hash !== undefined && args.hash !== view.hash) throw new Refusal('hash_conflict');
    this.replace(view, thingOf(args.view));
    return { view: toWireView(view) };
  }

  add(given: Thing): View {
    const id = this.#workspace.nextId('V');
    const view: View = {
      private_metadata: '',
      callback_id: '',
      ...given,
      id,
      team_id: this.#workspace.team,
      app_id: this.#workspace.app,
      bot_id: this.#workspace.botId,
      root_view_id: id,
      hash: this.#workspace.nextTs(),
      blocks: this.#withIds(given),
      isOpen: true,
    };
    this.all.push(view);
    return view;
  }

  replace(view: View, given: Thing): void {
    Object.assign(view, given, { hash: this.#workspace.nextTs(), blocks: this.#withIds(given) });
  }

  #withIds(given: Thing): Thing[] {
    return this.#workspace.withIds(thingsOf(given.blocks));
  }

  #spend(trigger: string): void {
    const at = this.#triggers.get(trigger);
    if (at === undefined) throw new Refusal(trigger === '' ? 'invalid_trigger_id' : 'exchanged_trigger_id');
    this.#triggers.delete(trigger);
    if (Date.now() - at > TRIGGER_LIFE_MS) throw new Refusal('expired_trigger_id');
  }
}

export function toWireView({ isOpen: _, ...view }: View): Thing {
  return structuredClone(view);
}
