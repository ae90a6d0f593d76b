// Every wire that we speak.

import { chat } from './chat.ts';
import { ollama } from './ollama.ts';
import { openrouter } from './openrouter.ts';
import type { Wire } from './wire.ts';

export const wires: readonly Wire[] = [chat, openrouter, ollama];
