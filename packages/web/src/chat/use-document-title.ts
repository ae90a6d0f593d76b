// The name of the window: that of the talk that is open.

import { useEffect } from 'react';

export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? 'ai-agent' : `${title} · ai-agent`;
  }, [title]);
}
