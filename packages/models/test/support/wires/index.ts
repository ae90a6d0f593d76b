// Every wire that we speak.

import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import type { Wire } from './wire.ts';

export const wires: readonly Wire[] = [chat, anthropic];
