// The completion of zsh, which reads flags itself; which command they belong to is found first.

import { toQuoted } from '../shell-word.ts';
import { alone, type Completed, type CompletedFlag, valuedFlags } from './known.ts';

export function toZsh(known: readonly Completed[]): string {
  const run = known.find(({ name }) => name === 'run');
  const first = `'1:agent or command:_ai_agent_first'`;
  return `#compdef ai-agent
# Completes ai-agent in zsh. Made by: ai-agent completion zsh
_ai_agent() {
  local command='' flag='' over='' word i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -z $over && $word == -- ]]; then
      over=1 flag=''
    elif [[ -n $flag ]]; then
      flag=''
    elif [[ -z $over && $word == -?* ]]; then
      case $word in (${valuedFlags(known).join('|')}) flag=$word ;; esac
    else
      command=$word
      break
    fi
  done
  case $command in
${known.map((one) => toCase(one, first)).join('\n')}
    help) _arguments -S : ${first} '2:agent or command:_ai_agent_first' ;;
    *) _arguments -S : \\
${toSpecs(run?.flags ?? [])}      {${alone.version.join(',')}}'[Show the version]' ${first} '*:prompt:_ai_agent_prompt' ;;
  esac
}

_ai_agent_first() {
  local -a commands=(
${[...known, { name: 'help', about: alone.help }].map(toDescribed).join('\n')}
  )
  _describe -t commands command commands
  _ai_agent_agents
}

_ai_agent_agents() {
  # Not _files: where nothing fits, that offers everything.
  _path_files "$@" -/ -g '*.ai(-.)'
}

# In a prompt only what stands behind an @.
_ai_agent_prompt() {
  compset -P @ && _files
}

if [[ $funcstack[1] == _ai_agent || $funcstack[1] == _ai-agent ]]; then
  _ai_agent "$@"
else
  compdef _ai_agent ai-agent
fi
`;
}

function toCase({ name, takes, flags }: Completed, first: string): string {
  return `    ${name}) _arguments -S : \\\n${toSpecs(flags)}      ${first}${toWords(takes)} ;;`;
}

function toWords(takes: Completed['takes']): string {
  if (takes === 'run') return ` '2:agent:_ai_agent_agents' '*:prompt:_ai_agent_prompt'`;
  if (takes === 'agents') return ` '*:agent:_ai_agent_agents'`;
  if (takes === 'agent') return ` '2:agent:_ai_agent_agents'`;
  if (takes === 'folder') return ` '2:folder:_path_files -/'`;
  return takes ? ` '2:word:(${takes.join(' ')})'` : '';
}

function toSpecs(flags: readonly CompletedFlag[]): string {
  return flags
    .flatMap(toFlagSpecs)
    .map((spec) => `      ${toQuoted(spec)} \\\n`)
    .join('');
}

function toFlagSpecs({ names, about, value }: CompletedFlag): readonly string[] {
  const note = `[${about.replace(/[[\]\\]/g, '\\$&')}]`;
  if (value === 'none') return names.map((name) => `*${name}${note}`);
  const action =
    value === 'file' ? 'file:_files' : value === 'unknown' ? 'value: ' : `value:(${value.map(toWord).join(' ')})`;
  return names.map((name) => `*${name}${name.startsWith('--') ? '=' : '+'}${note}:${action}`);
}

function toDescribed({ name, about }: { readonly name: string; readonly about: string }): string {
  return `    ${toQuoted(`${name}:${about.replaceAll(':', '\\:')}`)}`;
}

/** A colon would end the list. */
function toWord(word: string): string {
  return word.replaceAll(':', '\\:');
}
