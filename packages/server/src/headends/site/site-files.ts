// The files of the page for people, whoever has them.

/** Where the files of the page are. */
export interface Site {
  /** Gives nothing where there is no such file: `index.html`, `assets/index-4f2a.js`. */
  read(path: string): Promise<SiteFile | undefined>;
}

export interface SiteFile {
  readonly contentType: string;
  /** Of the file, whichever encoding is sent: that is added to it. */
  readonly etag: string;
  /** What to send to who takes one of these encodings, `identity` always being one. */
  readonly encodings: Readonly<Record<string, () => Promise<Uint8Array>>>;
}
