// What the section `store` takes.

import { duration, isTrue, text } from '../options/kinds.ts';
import { settings, size } from './config-kinds.ts';

export const store = settings({ enabled: isTrue, path: text, url: text, maxAge: duration, maxSize: size });
