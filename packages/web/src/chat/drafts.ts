// What was written and not sent, for as long as the page is open: whoever looks at something else finds it when they come back.

import { useAui, useAuiState } from '@assistant-ui/react';
import { createContext, useContext, useEffect, useRef } from 'react';
import type { KeptFilling } from '../forms/kept-filling.ts';

export class Drafts {
  readonly texts = new Map<string, string>();
  readonly files = new Map<string, readonly File[]>();
  readonly #forms = new Map<string, KeptFilling>();
  readonly #places = new Map<string, () => void>();

  /** The same for the same name, until it is forgotten. */
  form(name: string): KeptFilling {
    const kept = this.#forms.get(name) ?? {};
    this.#forms.set(name, kept);
    return kept;
  }

  forgetForm(name: string): void {
    this.#forms.delete(name);
  }

  /** What was sent and not taken, after its place was left: it waits there, unless something else was written since. */
  giveBack(name: string, text: string, files: readonly File[]): void {
    if (this.texts.has(name) || this.files.has(name)) return;
    if (text !== '') this.texts.set(name, text);
    if (files.length > 0) this.files.set(name, files);
    this.#places.get(name)?.();
  }

  /** Tells whoever stands at that place when something is given back. */
  onGivenBack(name: string, tell: () => void): () => void {
    this.#places.set(name, tell);
    return () => {
      if (this.#places.get(name) === tell) this.#places.delete(name);
    };
  }
}

export const DraftsContext = createContext(new Drafts());

/** Keeps what is written in the composer around it under this name, and puts it there again. */
export function useKeptMessage(name: string): void {
  const drafts = useContext(DraftsContext);
  const aui = useAui();
  const text = useAuiState((state) => state.composer.text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before anything else is kept
  useEffect(() => {
    if (aui.composer.getState().text === '') aui.composer.setText(drafts.texts.get(name) ?? '');
  }, []);
  useKeptFiles(name);
  useEffect(
    () =>
      drafts.onGivenBack(name, () => {
        aui.composer.setText(drafts.texts.get(name) ?? '');
        addFiles(aui, drafts.files.get(name));
      }),
    [drafts, name, aui],
  );
  useEffect(() => {
    if (text === '') drafts.texts.delete(name);
    else drafts.texts.set(name, text);
  }, [drafts, name, text]);
}

function useKeptFiles(name: string): void {
  const drafts = useContext(DraftsContext);
  const aui = useAui();
  const attachments = useAuiState((state) => state.composer.attachments);
  const isTaking = useAuiState((state) => state.thread.capabilities.attachments);
  const before = useRef(attachments.length === 0 ? drafts.files.get(name) : undefined);
  useEffect(() => {
    if (!isTaking) return;
    addFiles(aui, before.current);
    before.current = undefined;
  }, [aui, isTaking]);
  useEffect(() => {
    const files = attachments.flatMap(({ file }) => (file ? [file] : []));
    if (files.length === 0) drafts.files.delete(name);
    else drafts.files.set(name, files);
  }, [drafts, name, attachments]);
}

/** An agent that does not take one says so at its place. */
function addFiles(aui: ReturnType<typeof useAui>, files: readonly File[] = []): void {
  for (const file of files) void aui.composer.addAttachment(file).catch(() => {});
}
