// The flags of `ai-agent serve`: its own, and those that an existing set-up knows.

import type { Flag } from '../flag.ts';
import { storeFlags } from '../store-flags.ts';
import { aloneFlags } from './alone-ports.ts';

export const serveFlags: readonly Flag[] = [
  { names: ['--port'], value: 'n', about: 'The port of all headends; 0 takes any that is free; 8080 unless said' },
  { names: ['--host'], value: 'address', about: 'Where to listen; 127.0.0.1 unless said: this machine alone' },
  { names: ['--open'], about: 'Listen beyond this machine without keys: everybody who can reach it may ask' },
  {
    names: ['--allow-host'],
    value: 'name',
    about: 'A name under which it is known, beside those of this machine; may be repeated',
  },
  { names: ['--watch'], about: 'Load agents again when their files change; what runs goes on as it began' },
  { names: ['--grace'], value: 'time', about: 'What running requests get when the server is stopped; 30s unless said' },
  { names: ['--concurrency'], value: 'n', about: 'Runs at once, of each headend; 10 unless said' },
  { names: ['--waiting'], value: 'n', about: 'Runs that wait for a place, of each headend; 100 unless said' },
  {
    names: ['--max-body'],
    value: 'bytes',
    about:
      'What a request may hold; 1 MiB unless said, 32 MiB with files: for agents as models, and for POST /v1/sessions',
  },
  ...storeFlags,
  { names: ['--json'], about: 'One line of JSON on stdout once it listens, and every line on stderr as JSON' },
  { names: ['--quiet', '-q'], about: 'Say nothing on stderr but what went wrong' },
  { names: ['--verbose', '-v'], about: 'Say on stderr what was refused, too' },
  { names: ['--agent'], value: 'file', about: 'An agent, as one of the words; may be repeated' },
  { names: ['--api'], value: 'port', about: 'REST alone on this port; may be repeated; implies serve' },
  {
    names: ['--mcp'],
    value: 'where',
    words: ['stdio', 'http:8080', 'sse:8080', 'ws:8080'],
    about: 'Agents as MCP tools alone: stdio, http:<port>, sse:<port> or ws:<port>; may be repeated; implies serve',
  },
  {
    names: ['--openai-completions'],
    value: 'port',
    about: 'Agents as models, OpenAI-style, alone on this port; may be repeated; implies serve',
  },
  {
    names: ['--anthropic-completions'],
    value: 'port',
    about: 'Agents as models, Anthropic-style, alone on this port; may be repeated; implies serve',
  },
  {
    names: ['--embed'],
    value: 'name:port',
    about:
      'Chats in web pages alone on this port, as embed of the configuration says under this name; may be repeated; implies serve',
  },
  {
    names: ['--slack'],
    about: 'Agents in Slack, as slack of the configuration says; by itself it opens no port; implies serve',
  },
  { names: ['--trace-slack'], about: 'Say on stderr what comes from Slack, and what Slack is asked' },
  { names: ['--api-concurrency'], value: 'n', about: 'Runs at once that come by REST, instead of --concurrency' },
  { names: ['--openai-completions-concurrency'], value: 'n', about: 'The same of those that come OpenAI-style' },
  { names: ['--anthropic-completions-concurrency'], value: 'n', about: 'The same of those that come Anthropic-style' },
  { names: ['--embed-concurrency'], value: 'n', about: 'The same of those that come as chats in pages' },
  {
    names: ['--default-reasoning'],
    value: 'level',
    about: 'How hard agents think whose files do not say it, sub-agents too',
  },
];

/** Each of them serves agents by itself. */
export const headendFlags: readonly string[] = [...aloneFlags.map(({ port }) => port), '--mcp', '--embed', '--slack'];
