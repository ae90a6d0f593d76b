// A cross that closes what it stands in.

import styles from './close-button.module.css';

export interface CloseButtonProps {
  /** What it closes: `the details`. */
  readonly what: string;
  readonly onClose: () => void;
}

export function CloseButton({ what, onClose }: CloseButtonProps) {
  return <button type="button" className={styles.close} aria-label={`Close ${what}`} onClick={onClose} />;
}
