// Every wire that we speak.

import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { google } from './google.ts';
import { ollama } from './ollama.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { openrouter } from './openrouter.ts';
import type { Wire } from './wire.ts';

export const wires: readonly Wire[] = [chat, openaiResponses, openaiChat, anthropic, google, openrouter, ollama];
