// The timeline of a session.

import type { Api } from '../server/api.ts';
import type { Standing } from '../server/documents.ts';
import type { Picture, SessionView } from '../session/session-view.ts';

export interface TimelinePanelProps {
  readonly api: Api;
  readonly view: SessionView;
  readonly picture: Picture;
  readonly onClose: () => void;
  readonly onOpenSession: (standing: Standing) => void;
  readonly onChanged: (standing: Standing) => void;
}

export function TimelinePanel({ picture }: TimelinePanelProps) {
  return <p>{picture.rounds.length}</p>;
}

export default TimelinePanel;
