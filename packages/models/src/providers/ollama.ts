// Ollama.

import type { OpenAdapter } from './adapter.ts';
import { openSpeaking } from './openai-compatible.ts';

export const openOllama: OpenAdapter = (...opening) => openSpeaking('ollama', ...opening);
