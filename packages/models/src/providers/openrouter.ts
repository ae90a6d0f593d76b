// OpenRouter: chat completions, with what it adds to them.

import type { OpenAdapter } from './adapter.ts';
import { openSpeaking } from './openai-compatible.ts';

export const openOpenRouter: OpenAdapter = (...opening) => openSpeaking('openrouter', ...opening);
