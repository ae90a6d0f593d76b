// The frontmatter of an agent, to look at and to copy into a file of one's own.

import { useEffect, useState } from 'react';
import { Problem } from '../app/problem.tsx';
import { CopyButton } from '../copying/copy-button.tsx';
import type { Api } from '../server/api.ts';
import type { Failure } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import { Dialog } from './dialog.tsx';
import styles from './template-button.module.css';

export interface TemplateButtonProps {
  readonly api: Api;
  readonly agent: string;
  /** @default 'Frontmatter' */
  readonly label?: string;
  readonly className?: string | undefined;
}

export function TemplateButton({ api, agent, label = 'Frontmatter', className }: TemplateButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen ? <Template api={api} agent={agent} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Template({ api, agent, onClose }: TemplateButtonProps & { readonly onClose: () => void }) {
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    api.template(agent).then(setText, (error) => setFailure(toFailure(error)));
  }, [api, agent]);
  return (
    <Dialog title={`Frontmatter of ${agent}`} onClose={onClose}>
      {failure ? <Problem failure={failure} /> : null}
      {text === undefined ? null : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keys */}
          <pre className={styles.text} tabIndex={0}>
            {text}
          </pre>
          <CopyButton label="Copy" toText={() => text} className={styles.copy} />
        </>
      )}
    </Dialog>
  );
}
