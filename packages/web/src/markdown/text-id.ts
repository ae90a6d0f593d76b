// What the ids of one text begin with: footnotes have the same names in every text.

import { createContext } from 'react';

export const TextId = createContext('');
