// Copies a text. A page that came without TLS has no clipboard, but may copy what is selected.

/** Whether it went well. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const place = document.createElement('textarea');
  place.value = text;
  place.style.position = 'fixed';
  place.style.opacity = '0';
  // What lies under an open dialog cannot be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(place);
  place.select();
  const isCopied = document.execCommand('copy');
  place.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
