// What every kind of details is drawn from.

import type { Standing } from '../../server/documents.ts';
import type { Picture } from '../../session/session-view.ts';
import type { Row } from '../rows.ts';
import type { Stopping } from '../use-stopping.ts';
import type { Source } from './use-fact.ts';

export interface DetailsProps extends Source {
  readonly row: Row;
  readonly now: number;
  readonly picture: Picture;
  readonly stopping: Stopping;
  readonly onOpenSession: (standing: Standing) => void;
  readonly onChanged: (standing: Standing) => void;
}
