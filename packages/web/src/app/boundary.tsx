// A part of the page that cannot be drawn: the others stay, and it is said what still holds.

import { Component, type ReactNode } from 'react';
import { PageIsOld } from './load-lazily.ts';
import { Problem } from './problem.tsx';

export interface BoundaryProps {
  /** As a sentence begins with it: `The timeline`. */
  readonly name: string;
  /** What is shown in its place, above the words about it. */
  readonly instead?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

interface State {
  readonly broken?: { readonly by: unknown };
}

export class Boundary extends Component<BoundaryProps, State> {
  static getDerivedStateFromError(error: unknown): State {
    return { broken: { by: error } };
  }

  override state: State = {};

  override render(): ReactNode {
    const { name, instead, className, children } = this.props;
    const { broken } = this.state;
    if (!broken) return children;
    const failure = broken.by instanceof PageIsOld ? tooOld : brokenBy(name, broken.by);
    return (
      <div className={className}>
        {instead}
        <Problem failure={failure} retryLabel="Load again" onRetry={() => location.reload()} />
      </div>
    );
  }
}

const tooOld = {
  class: 'bug',
  code: 'page-old',
  message: 'This page is older than the server.',
  remedy: 'A part of it is not there any more. Load the page again; what runs goes on on the server.',
};

function brokenBy(name: string, error: unknown) {
  return {
    class: 'bug',
    code: error instanceof Error ? error.message : String(error),
    message: `${name} cannot be drawn: something is wrong with this page.`,
    remedy: 'The run goes on on the server, and nothing of it is lost.',
  };
}
