// The four ways in which agents work together, one picture each, by the file it is kept in.

import type { Diagram } from './diagram.ts';

const width = 760;

const delegation: Diagram = {
  label:
    'Delegation: the request goes to lead, which calls researcher and writer as tools, reads their results and answers',
  width,
  height: 190,
  boxes: [
    { x: 8, y: 72, text: 'request', isWord: true },
    { x: 176, y: 72, text: 'lead', isMain: true },
    { x: 440, y: 22, text: 'researcher', note: 'a tool' },
    { x: 440, y: 122, text: 'writer', note: 'a tool' },
    { x: 636, y: 72, text: 'answer', isWord: true },
  ],
  arrows: [
    {
      points: [
        [98, 95],
        [174, 95],
      ],
    },
    {
      points: [
        [294, 84],
        [438, 38],
      ],
      text: 'call',
      at: [352, 52],
    },
    {
      points: [
        [440, 56],
        [296, 93],
      ],
      text: 'result',
      at: [392, 84],
    },
    {
      points: [
        [294, 106],
        [438, 152],
      ],
      text: 'call',
      at: [352, 146],
    },
    {
      points: [
        [440, 134],
        [296, 97],
      ],
    },
    {
      points: [
        [235, 118],
        [235, 178],
        [600, 178],
        [600, 95],
        [662, 95],
      ],
    },
  ],
};

const advisors: Diagram = {
  label: 'Advisors: the request goes to law and money at once; their advice and the request go to lead, which answers',
  width,
  height: 190,
  boxes: [
    { x: 8, y: 72, text: 'request', isWord: true },
    { x: 176, y: 22, text: 'law', note: 'advisor' },
    { x: 176, y: 122, text: 'money', note: 'advisor' },
    { x: 446, y: 72, text: 'lead', isMain: true },
    { x: 636, y: 72, text: 'answer', isWord: true },
  ],
  arrows: [
    {
      points: [
        [98, 88],
        [174, 48],
      ],
    },
    {
      points: [
        [98, 102],
        [174, 142],
      ],
    },
    {
      points: [
        [98, 95],
        [444, 95],
      ],
      text: 'the request too',
      at: [340, 88],
    },
    {
      points: [
        [294, 48],
        [444, 84],
      ],
      text: 'advice',
      at: [382, 58],
    },
    {
      points: [
        [294, 142],
        [444, 106],
      ],
      text: 'advice',
      at: [382, 142],
    },
    {
      points: [
        [564, 95],
        [662, 95],
      ],
    },
  ],
};

const router: Diagram = {
  label:
    'Router: the request goes to desk, which hands it over to technical and not to billing; technical answers in its place',
  width,
  height: 190,
  boxes: [
    { x: 8, y: 72, text: 'request', isWord: true },
    { x: 176, y: 72, text: 'desk', isMain: true, note: 'router' },
    { x: 446, y: 22, text: 'technical', note: 'destination' },
    { x: 446, y: 122, text: 'billing', note: 'destination' },
    { x: 636, y: 22, text: 'answer', isWord: true },
  ],
  arrows: [
    {
      points: [
        [98, 95],
        [174, 95],
      ],
    },
    {
      points: [
        [294, 86],
        [444, 45],
      ],
      text: 'the request, a message',
      at: [346, 38],
    },
    {
      points: [
        [294, 104],
        [444, 145],
      ],
      isIdle: true,
    },
    {
      points: [
        [564, 45],
        [662, 45],
      ],
    },
  ],
};

const handoff: Diagram = {
  label:
    'Handoff: the request goes to draft; its answer and the request go to edit, then on to sign, whose answer is the answer',
  width,
  height: 120,
  boxes: [
    { x: -14, y: 37, text: 'request', isWord: true },
    { x: 122, y: 37, text: 'draft', isMain: true },
    { x: 322, y: 37, text: 'edit', note: 'handoff' },
    { x: 522, y: 37, text: 'sign', note: 'handoff' },
    { x: 660, y: 37, text: 'answer', isWord: true },
  ],
  arrows: [
    {
      points: [
        [76, 60],
        [120, 60],
      ],
    },
    {
      points: [
        [240, 60],
        [320, 60],
      ],
      text: 'answer',
      at: [279, 52],
    },
    {
      points: [
        [440, 60],
        [520, 60],
      ],
      text: 'answer',
      at: [479, 52],
    },
    {
      points: [
        [640, 60],
        [684, 60],
      ],
    },
    {
      points: [
        [45, 72],
        [45, 104],
        [381, 104],
        [381, 85],
      ],
      isIdle: true,
    },
    {
      points: [
        [381, 104],
        [581, 104],
        [581, 85],
      ],
      text: 'and the request',
      at: [480, 98],
      isIdle: true,
    },
  ],
};

export const diagrams: Readonly<Record<string, Diagram>> = {
  'docs/composing-delegation.svg': delegation,
  'docs/composing-advisors.svg': advisors,
  'docs/composing-router.svg': router,
  'docs/composing-handoff.svg': handoff,
};
