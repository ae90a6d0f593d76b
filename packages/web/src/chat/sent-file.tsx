// A file that was sent: pictures as pictures, others by name and size.

import type { FilePart } from '@ai-agent/core';
import { useContext, useEffect, useState } from 'react';
import { sizeOf } from '../app/time.ts';
import type { Round } from '../session/round.ts';
import styles from './sent-file.module.css';
import { SessionContext } from './session-context.ts';

export interface SentFileProps {
  readonly file: FilePart;
  /** Its number among the files of its message. */
  readonly place: number;
  /** The round whose facts have the whole of it. */
  readonly round?: Round;
}

export function SentFile({ file, place, round }: SentFileProps) {
  const isPicture = /^image\/(?:png|jpeg|gif|webp|avif)$/.test(file.mediaType);
  const data = useWhole(file, place, round);
  const url = usePicture(isPicture ? data : undefined, file.mediaType);
  const name = file.name ?? file.mediaType;
  if (url !== undefined) return <img className={styles.picture} src={url} alt={name} />;
  return (
    <p className={styles.file}>
      <span className={styles.name}>{name}</span>
      {data === undefined ? null : <span className={styles.size}>{sizeOf(Math.floor(data.length * 0.75))}</span>}
    </p>
  );
}

/** A stream tells the beginning of a file alone: the rest is asked for. */
function useWhole({ data }: FilePart, place: number, round: Round | undefined): string | undefined {
  const { api, view } = useContext(SessionContext) ?? {};
  const isCut = data.endsWith('…');
  const [whole, setWhole] = useState<string>();
  useEffect(() => {
    const number = round && view?.numberOf(round.id, round.startOp, 'session-start');
    if (!isCut || !api || !view || number === undefined) return;
    let isGone = false;
    api.fact(view.id, number).then(
      (fact) => isGone || setWhole(fileIn(fact, place)),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [isCut, api, view, round, place]);
  return isCut ? whole : data;
}

function fileIn(fact: unknown, place: number): string | undefined {
  const { messages = [] } = fact as { readonly messages?: readonly { readonly content?: unknown }[] };
  const content = messages.at(-1)?.content;
  if (!Array.isArray(content)) return undefined;
  const files = (content as readonly FilePart[]).filter(({ type }) => type === 'file');
  return files[place]?.data;
}

function usePicture(data: string | undefined, mediaType: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    const bytes = toBytes(data);
    if (!bytes) return;
    const made = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data, mediaType]);
  return url;
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
