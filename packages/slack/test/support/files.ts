// Files of the stand-in: what people share, and what the app uploads in Slack's three steps.
import { type Thing, textOf, thingsOf } from './values.ts';
import { Refusal, type Workspace } from './workspace.ts';

export interface NewFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array | string;
}

/** What the app uploaded. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly channel?: string | undefined;
  readonly threadTs?: string | undefined;
  readonly comment?: string | undefined;
}

interface Kept {
  readonly wire: Thing;
  bytes: Uint8Array | undefined;
  readonly promised: number;
}

export class Files {
  readonly uploads: Upload[] = [];
  /** Whether nobody can bring one: their address fails. */
  areDown = false;
  readonly #kept = new Map<string, Kept>();
  readonly #workspace: Workspace;
  readonly #base: () => string;

  constructor(workspace: Workspace, base: () => string) {
    this.#workspace = workspace;
    this.#base = base;
  }

  add({ name, mediaType, bytes }: NewFile): Thing {
    const all = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
    return this.#keep(name, mediaType, all).wire;
  }

  bytesOf(id: string): { bytes: Uint8Array; mediaType: string } | undefined {
    const kept = this.#kept.get(id);
    return kept?.bytes === undefined ? undefined : { bytes: kept.bytes, mediaType: textOf(kept.wire.mimetype) };
  }

  info(args: Thing): Thing {
    const kept = this.#kept.get(textOf(args.file));
    if (kept === undefined) throw new Refusal('file_not_found');
    return { file: kept.wire };
  }

  askForUrl(args: Thing): Thing {
    const length = Number(args.length);
    if (textOf(args.filename) === '' || !(length > 0)) throw new Refusal('invalid_arguments');
    const { wire } = this.#keep(textOf(args.filename), 'text/plain', undefined, length);
    return { upload_url: `${this.#base()}/upload/${String(wire.id)}`, file_id: wire.id };
  }

  /** Gives what is wrong with it. */
  receive(id: string, bytes: Uint8Array): string | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return `upload: no such file ${id}.`;
    kept.bytes = bytes;
    if (kept.promised === bytes.length) return undefined;
    return `upload: ${bytes.length} bytes came of ${kept.promised} that were promised.`;
  }

  complete(args: Thing): Thing {
    const channel = args.channel_id === undefined ? undefined : this.#workspace.enterChannel(args.channel_id).id;
    const threadTs = args.thread_ts === undefined ? undefined : textOf(args.thread_ts);
    const comment = args.initial_comment === undefined ? undefined : textOf(args.initial_comment);
    const wires = thingsOf(args.files).map(({ id, title }) => {
      const kept = this.#kept.get(textOf(id));
      if (kept?.bytes === undefined) throw new Refusal('file_not_found');
      if (title !== undefined) kept.wire.title = title;
      const text = new TextDecoder().decode(kept.bytes);
      const { name } = kept.wire;
      this.uploads.push({
        id: textOf(id),
        name: textOf(name),
        title: textOf(title),
        text,
        bytes: kept.bytes,
        channel,
        threadTs,
        comment,
      });
      return kept.wire;
    });
    if (channel !== undefined)
      this.#workspace.post({
        channel,
        user: this.#workspace.bot,
        bot_id: this.#workspace.botId,
        text: comment ?? '',
        files: wires,
        ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      });
    return { files: wires };
  }

  #keep(name: string, mediaType: string, bytes?: Uint8Array, promised = 0): Kept {
    const id = this.#workspace.nextId('F');
    const address = `${this.#base()}/files-pri/${id}`;
    const wire = {
      id,
      name,
      title: name,
      mimetype: mediaType,
      filetype: name.split('.').at(-1) ?? 'text',
      mode: 'hosted',
      size: bytes?.length ?? promised,
      is_external: false,
      url_private: `${address}/${encodeURIComponent(name)}`,
      url_private_download: `${address}/download/${encodeURIComponent(name)}`,
      permalink: `https://example.slack.com/files/${id}/${encodeURIComponent(name)}`,
    };
    const kept: Kept = { wire, bytes, promised };
    this.#kept.set(id, kept);
    return kept;
  }
}
