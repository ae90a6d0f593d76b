// Every command, once: its help, its flags and where its code is. The code is loaded when it is run.

import type { Words } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { chatFlags } from './chat/chat-flags.ts';
import type { Takes } from './completion/known.ts';
import type { Flag } from './flag.ts';
import { agentFlagSections, runFlags, tellingFlags } from './run/run-flags.ts';
import { serveFlags } from './serve/serve-flags.ts';
import { sessionFlags } from './sessions/session-flags.ts';
import { slackFlags } from './slack-flags.ts';

export interface Command {
  /** What follows its name. */
  readonly words: string;
  /** The same, for a shell that completes it. @default nothing */
  readonly takes?: Takes;
  /** One line of the list of commands. */
  readonly about: string;
  /** What it does, at length. */
  readonly details: string;
  readonly flags: readonly Flag[];
  /** More flags, under titles of their own. @default none */
  readonly sections?: readonly Section[];
  /** What its exit codes mean. @default that of every command */
  readonly exits?: string;
  readonly examples: readonly string[];
  load(): Promise<{ run(words: Words, terminal: Terminal): Promise<number> | number }>;
}

export interface Section {
  readonly title: string;
  readonly flags: readonly Flag[];
}

const json: Flag = { names: ['--json'], about: 'One JSON document instead of lines' };
const config: Flag = { names: ['--config'], value: 'file', about: 'A configuration file above all others' };
const override: Flag = {
  names: ['--override'],
  value: 'key=value',
  about: 'An option of every agent; may be repeated',
};

export const commands: Readonly<Record<string, Command>> = {
  run: {
    words: '<file> [prompt…]',
    takes: 'run',
    about: 'Run an agent file; the word run may be left out',
    details: `Runs an agent file. The answer goes to stdout, the rest to stderr. The prompt is text, @file, or - for
the standard input; without one, what is piped in. Flags may stand anywhere; -- ends them.`,
    flags: [...runFlags, config, override],
    sections: agentFlagSections(),
    exits: '0 done, 1 set-up, 2 model, 3 tool, 4 usage, 5 a limit ended it, 6 it asks something, 130 cancelled',
    examples: [
      'ai-agent hello.ai "Good morning"',
      './hello.ai "Good morning"',
      'cat report.txt | ai-agent summary.ai',
      'ai-agent desk.ai --max-turns 5 --json @request.txt',
      'ai-agent describe.ai --attach photo.jpg "What is on it?"',
      'ai-agent desk.ai --override models=offline/demo "Try it without a key"',
    ],
    load: () => import('./run/run-file.ts'),
  },
  chat: {
    words: '<file>',
    takes: 'agent',
    about: 'Talk with an agent: it remembers what was said',
    details: `Talks with an agent in the terminal: every message is answered with all that was said before, in one session that is
kept and can be gone on with. Its sub-agents are shown as they work, and what they ask is asked there. /help says what else
one can do. Piped in, every line is a message, and stdout has the answers alone, with an empty line between them. A budget
holds for every answer anew.`,
    flags: [...chatFlags, config, override],
    sections: agentFlagSections(),
    exits:
      '0 left, or all were answered; else that of the last message in a pipe that was not, as for run; 130 ended by a signal',
    examples: [
      'ai-agent chat desk.ai',
      'ai-agent chat desk.ai --continue',
      "printf 'Good morning\\nAnd now?\\n' | ai-agent chat desk.ai",
    ],
    load: () => import('./chat.ts'),
  },
  check: {
    words: '[files, folders or globs…]',
    takes: 'agents',
    about: 'Say what is wrong with agent files, without running them',
    details: `Loads agent files with everything they name, and says all that is wrong with them. Nothing is run, and without
--connect no server is started and nobody is asked over the network. Without arguments: what "agents" in .ai-agent.json names, or else this
folder.`,
    flags: [
      {
        names: ['--connect'],
        about:
          'Ask every provider whether it answers, takes the key and has the model, and every server for its tools; free',
      },
      { names: ['--warnings-as-errors'], about: 'Treat warnings as errors (exit code 1)' },
      { ...json, about: 'One JSON document: agents, problems with file, line and key, and their counts' },
      config,
      override,
    ],
    exits: '0 nothing worse than warnings, 1 errors, 4 no such file',
    examples: ['ai-agent check desk.ai', 'ai-agent check desk.ai --connect', 'ai-agent check agents/ --json'],
    load: () => import('./check.ts'),
  },
  list: {
    words: '[files, folders or globs…]',
    takes: 'agents',
    about: 'List the agents there are',
    details: `Lists agents with their files, models and sub-agents, as wide as the terminal; in a pipe nothing is cut.
A file with errors is listed with the first of them. Without arguments: what "agents" in .ai-agent.json names,
or else this folder.`,
    flags: [{ ...json, about: 'One JSON document: agents with whole descriptions, and problems' }, config, override],
    exits: '0 all are sound, or there is none, 1 errors, 4 no such file',
    examples: ['ai-agent list', 'ai-agent list agents/', 'ai-agent list --json | jq .agents[].name'],
    load: () => import('./list.ts'),
  },
  serve: {
    words: '[files, folders or globs…]',
    takes: 'agents',
    about: 'Answer requests: agents as an API, MCP tools, models, in Slack',
    details: `Serves agents on one port, for this machine alone unless told otherwise, until Ctrl-C or SIGTERM ends it: then no new
runs begin, and those that run have their time. Each request is a session of its own. GET /v1/<agent>?q=… asks, /docs on
the server describes the rest. / is a page to talk with them, with a timeline of what they do. /widget.js puts a chat with
one of them into a page of yours. /mcp has the agents as MCP tools, and --mcp stdio serves a client that starts the command.
Clients of OpenAI, with /v1 as their base URL, and of Anthropic take each agent for a model of its name.
With --slack they are in Slack, by a socket that the server opens: alone it needs no port.
Without arguments: what "agents" in .ai-agent.json names, or else this folder. The section
api of .ai-agent.json says the same as flags, and has the keys; flags win. Flags of agents hold for every agent named.`,
    flags: [...serveFlags, config, override],
    sections: agentFlagSections(),
    exits: '0 it was stopped, 1 set-up, or nobody can listen there, 4 usage, 130 a second Ctrl-C',
    examples: [
      'ai-agent serve desk.ai --port 8080',
      'ai-agent serve agents/ --watch',
      'curl "http://127.0.0.1:8080/v1/desk?q=Good%20morning"',
      'ai-agent serve desk.ai --mcp stdio',
      'curl http://127.0.0.1:8080/v1/models',
      'ai-agent --agent desk.ai --agent child.ai --api 8080 --openai-completions 8081',
      'ai-agent serve desk.ai --slack',
    ],
    load: () => import('./serve.ts'),
  },
  sessions: {
    words: '<what> [id…]',
    takes: ['list', 'show', 'tree', 'export', 'delete', 'resume'],
    about: 'Show, go on with and delete the sessions that are kept',
    details: `Runs, conversations and what a server answers are kept as sessions. The first letters of an id stand for it.
  list            the newest first, with filters; so does sessions alone
  show <id>       what it is, its question, the tree with times and money, the answer
  tree <id>       every turn and call of it
  export <id>     all of it as JSON, or what was said as Markdown
  delete <id…>    those, or all that filters name
  resume <id> [message…]
                  answers its question with --answer or at the terminal, or goes on with a message;
                  without one, goes on with what was interrupted`,
    flags: sessionFlags,
    exits:
      '0 done, 1 the store cannot be read or written, or you said no, 4 usage, or no such session, 130 Ctrl-C; resume: as a run',
    examples: [
      'ai-agent sessions list --since 2d --status failed,interrupted',
      'ai-agent sessions show 7k2m9q',
      'ai-agent sessions resume 7k2m9q --answer "The blue one"',
      'ai-agent sessions export 7k2m9q --format markdown --output talk.md',
      'ai-agent sessions delete --older-than 30d --yes',
    ],
    load: () => import('./sessions.ts'),
  },
  tools: {
    words: '<file>',
    takes: 'agent',
    about: 'Show the tools that the model of an agent sees',
    details: `Shows the tools of an agent in the order and under the names that its model gets, with what goes into each and
where it comes from. They are taken from a session that is opened and goes no further: its servers are started, and
no model is asked. Of a server that cannot be asked it says why, and lists the others. A name or a glob that fits no
tool is noted.`,
    flags: [
      { ...json, about: 'One JSON document, with the whole schema of each' },
      { names: ['--tools'], value: 'a,b', about: 'This list in the place of the one in the file' },
      config,
      override,
    ],
    exits: '0 done, 1 errors in the files, 3 a server could not be asked, 4 no such file',
    examples: ['ai-agent tools desk.ai', 'ai-agent tools desk.ai --json | jq .tools[0].inputSchema'],
    load: () => import('./tools.ts'),
  },
  login: {
    words: '<file> [server]',
    takes: 'agent',
    about: 'Sign in, in the browser, at the servers of an agent',
    details: `Connects to the servers over HTTP that an agent and its sub-agents name, and signs in where one asks for it: a page
opens in the browser, and its address is printed. What the servers give us is kept in .ai-agent/tokens of your home,
for your eyes alone, so that runs need no browser.`,
    flags: [{ ...json, about: 'One JSON document: each server and what came of it' }, config, override],
    exits: '0 done, 1 errors in the files, 2 a server could not be reached or signed in to, 4 no such file or server',
    examples: ['ai-agent login desk.ai', 'ai-agent login desk.ai github'],
    load: () => import('./login.ts'),
  },
  logout: {
    words: '<file> [server]',
    takes: 'agent',
    about: 'Forget what servers of an agent gave at a sign-in',
    details: `Forgets the tokens of the servers over HTTP that an agent and its sub-agents name. Nobody is asked.`,
    flags: [
      { ...json, about: 'One JSON document: each server, and whether there was something to forget' },
      config,
      override,
    ],
    exits: '0 done, 1 errors in the files, 4 no such file or server',
    examples: ['ai-agent logout desk.ai', 'ai-agent logout desk.ai github'],
    load: () => import('./logout.ts'),
  },
  init: {
    words: '[folder]',
    takes: 'folder',
    about: 'Write an agent with two sub-agents to start from',
    details: `Writes an agent with two sub-agents, a configuration and a place for keys into a folder, which is made when it
is not there; without one, into this folder. They run at once: on the model that a key opens, on a local Ollama,
or on offline/demo, which needs nothing. What is there already is never overwritten, unless you say so.`,
    flags: [{ names: ['--force'], about: 'Overwrite files that are in the way' }],
    exits: '0 written, 1 something is in the way or cannot be written',
    examples: ['ai-agent init my-team', 'ai-agent init . --force'],
    load: () => import('./init.ts'),
  },
  key: {
    words: '<name>',
    about: 'Make a key for a server, and its entry in the configuration',
    details: `Makes a random key and prints it, this once, with the entry that lets it in: put that into "api" of .ai-agent.json,
and give the key to whoever is to use it. The entry has the hash of the key alone. Nothing is written.`,
    flags: [
      { ...json, about: 'One JSON document: name, key, hash, and api, which belongs into .ai-agent.json' },
      { names: ['--agents'], value: 'a,b', about: 'The agents that it may call, by name or glob; all without' },
      { names: ['--requests-per-minute'], value: 'n', about: 'Runs that it may start in a minute; any number without' },
      {
        names: ['--origins'],
        value: 'a,b',
        about: 'Publishable, to stand in pages of these origins; then --agents and --requests-per-minute must be there',
      },
    ],
    exits: '0 done, 4 a name that no key can have',
    examples: [
      'ai-agent key website',
      'ai-agent key desk --agents "desk,support.*"',
      'ai-agent key website --origins https://www.example.com --agents note --requests-per-minute 30',
      'ai-agent key ci --json | jq -r .key',
    ],
    load: () => import('./key.ts'),
  },
  slack: {
    words: 'manifest',
    takes: ['manifest'],
    about: 'Print the manifest of a Slack app for the agents',
    details: `Prints the manifest with which Slack makes an app for your agents: at https://api.slack.com/apps choose "Create New
App", "From a manifest", and paste it. It says what the app may and what it is told. Events come over a socket that
ai-agent serve --slack opens, unless --http says where Slack reaches the server. The section slack of .ai-agent.json is
read for what flags do not say. Nobody is asked, and nothing is written. docs/slack.md has the rest.`,
    flags: [...slackFlags, config],
    exits: '0 done, 1 set-up, 4 usage',
    examples: [
      'ai-agent slack manifest',
      'ai-agent slack manifest --name "Research desk" --command /desk',
      'ai-agent slack manifest --http https://agents.example.com --yaml',
    ],
    load: () => import('./slack.ts'),
  },
  demo: {
    words: '[prompt…]',
    about: 'Run an agent with two sub-agents, offline: no key, no network',
    details: `Runs an agent with two sub-agents in parallel on the built-in model offline/demo: no key, no network.
The tree is drawn on stderr while it works; the answer goes to stdout.`,
    flags: tellingFlags,
    examples: [
      'ai-agent demo',
      'ai-agent demo "Write a release note and a FAQ for version 3. It adds dark mode."',
      'ai-agent demo 2>/dev/null > answer.txt',
    ],
    load: () => import('./demo.ts'),
  },
  completion: {
    words: 'bash|zsh|fish',
    takes: ['bash', 'zsh', 'fish'],
    about: 'Print a script that completes this command in a shell',
    details: `Prints a script with which a shell completes commands, flags, their values and agent files.
  bash  in ~/.bashrc:  source <(ai-agent completion bash)
  zsh   in ~/.zshrc, after compinit:  source <(ai-agent completion zsh)
  fish  once:  ai-agent completion fish > ~/.config/fish/completions/ai-agent.fish`,
    flags: [],
    examples: ['ai-agent completion bash > ~/.local/share/bash-completion/completions/ai-agent'],
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
};
