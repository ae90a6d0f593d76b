// Every wire that we speak.

import { chat } from './chat.ts';
import { google } from './google.ts';
import type { Wire } from './wire.ts';

export const wires: readonly Wire[] = [chat, google];
