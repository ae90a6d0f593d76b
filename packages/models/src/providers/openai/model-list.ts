// The models of OpenAI, for whoever has the key.

import type { Directory } from '../../probe/directory.ts';
import { chatModels } from '../chat/model-list.ts';

export const openaiModels: Directory = { ...chatModels, has: (names, model) => names.includes(model) };
