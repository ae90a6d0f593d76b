// The first thing that keys come to: past the list of conversations, to where one writes. Seen while it has the focus.

import styles from './skip-link.module.css';

export function SkipLink() {
  return (
    <button type="button" className={styles.skip} onClick={goToMessage}>
      Go to the message
    </button>
  );
}

/** Where something is written or chosen; what the page is about where there is nothing to say. */
function goToMessage(): void {
  const places = ['[aria-label="Message"]', 'form :is(textarea, select, input:not(.unseen))', 'form button', 'h1'];
  const found = places.map((place) => document.querySelector<HTMLElement>(`main ${place}`)).find((one) => one !== null);
  if (found?.tagName === 'H1') found.tabIndex = -1;
  found?.focus();
}
