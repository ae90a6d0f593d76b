// What `ai-agent init` writes: an agent with two sub-agents, a configuration, and a place for keys.

export interface NewFile {
  readonly name: string;
  /** What it is, for whoever sees the list. */
  readonly about: string;
  readonly text: string;
  /** Whether nobody else may read it. @default false */
  readonly isPrivate?: boolean;
  /** Whether one that is there stays as it is, whatever is said. @default false */
  readonly isKept?: boolean;
}

/** The agent to run. */
export const mainFile = 'event.ai';

/** Where keys are. */
export const keyFile = '.ai-agent.env';

export const firstPrompt =
  'Prepare an invitation and a checklist for our summer party on 12 June. It starts at six in the garden. Everybody brings something for the grill.';

const event = `---
description: Prepares an event with an invitation and a checklist
usage: ${firstPrompt}
agents: invitation.ai, checklist.ai
output: { format: text }
---
You prepare events. Have the invitation and the checklist written, both at once: hand each of your sub-agents
everything you were told. Then put the two together, the invitation first, and change nothing in them.
`;

const invitation = `---
description: Writes the invitation to an event from what is known about it
usage: A summer party on 12 June, at six in the garden.
output: { format: text }
---
You write the invitation to an event. It is warm, and no longer than five sentences. Say what, when and where, and what
to bring. Keep to what you were told: leave out what you do not know.
`;

const checklist = `---
description: Writes the checklist of an event from what is known about it
usage: A summer party on 12 June, at six in the garden.
output: { format: text }
---
You write the checklist of an event: what has to be done, in the order in which it has to be done, one line for each
task, at most eight. Keep to what you were told, and to what follows from it.
`;

const configuration = `// What your agents find around them. Comments are allowed here, and a comma after the last value.
// The agent files name no model. So they run on the one that a key opens (see .ai-agent.env), on a local Ollama,
// or on offline/demo, which needs no key and is no language model.
{
  // What holds for every agent that says nothing else.
  "defaults": {
    // "models": "openai/gpt-5.4",
    "maxTurns": 6,
  },

  // Well-known providers (openai, anthropic, google, openrouter, ollama, groq and more) need no entry, only a key.
  // Others, and servers of your own, are set up here; in "models" their name stands before the slash: "local/qwen3".
  "providers": {
    // "local": { "type": "openai-compatible", "baseUrl": "http://localhost:8080/v1", "apiKey": "\${LOCAL_KEY}" },
  },

  // Dollars per million tokens, for models whose price is not known, or not yours.
  "pricing": {
    // "local": { "qwen3": { "prompt": 0.1, "completion": 0.4 } },
  },
}
`;

const keys = `# Keys, as NAME=value. Take the # away from one of these lines and put your key behind it.
# What is set in your shell is found as well. Never commit this file.

# OPENAI_API_KEY=
# ANTHROPIC_API_KEY=
# GEMINI_API_KEY=
# OPENROUTER_API_KEY=
`;

export const newFiles: readonly NewFile[] = [
  { name: mainFile, about: 'an agent with two sub-agents', text: event },
  { name: 'invitation.ai', about: 'the first of them', text: invitation },
  { name: 'checklist.ai', about: 'the second', text: checklist },
  { name: '.ai-agent.json', about: 'providers, defaults, prices', text: configuration },
  { name: keyFile, about: 'keys; never commit it', text: keys, isPrivate: true, isKept: true },
  { name: '.gitignore', about: 'so that git leaves the keys alone', text: `${keyFile}\n`, isKept: true },
];
