// The completion of bash. It glues words together that bash splits at : = and @. Readline quotes; what it would not is not offered.

import { toQuoted } from '../shell-word.ts';
import { alone, type Completed, type CompletedFlag, valuedFlags } from './known.ts';

export function toBash(known: readonly Completed[]): string {
  return [toReader(known), toAnswers(known), replies].join('\n');
}

/** Finds out where in the line we are, and asks for what may stand there. */
function toReader(known: readonly Completed[]): string {
  return `# Completes ai-agent in bash. Made by: ai-agent completion bash
_ai_agent() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() piece='' blank i
  local cur lead='' glued command='' flag='' count=0 over='' word
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=\${COMP_WORDS[i]}
    blank=\${line%%[![:space:]]*}
    line=\${line#"$blank"}
    if ((\${#piece} > \${#line})); then piece=$line; fi
    line=\${line#"$piece"}
    if ((i > 0)) && [[ -z $blank ]]; then words[\${#words[@]} - 1]+=$piece; else words+=("$piece"); fi
  done
  cur=\${words[\${#words[@]} - 1]}
  glued=\${cur%"$piece"}
  # A word that ends with such a mark is completed behind it. An @ is part of what is replaced.
  case $piece in [:=@]) glued=$cur ;; esac
  glued=\${glued%@}
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -z $over && $word == -- ]]; then
      over=1 flag=''
    elif [[ -n $flag ]]; then
      flag=''
    elif [[ -z $over && $word == -?* ]]; then
      case $word in ${valuedFlags(known).join('|')}) flag=$word ;; esac
    else
      if ((count == 0)); then command=$word; fi
      count=$((count + 1))
    fi
  done
  case $command in
    ${[...known.map(({ name }) => name), 'help'].join('|')}) count=$((count - 1)) ;;
    ?*) command=run ;;
  esac
  if [[ -z $flag && -z $over && $cur == -*=* ]]; then
    flag=\${cur%%=*} lead=\${cur%%=*}=
    cur=\${cur#*=}
  fi
  if [[ -n $flag ]]; then
    _ai_agent_value
  elif [[ -z $over && $cur == -* ]]; then
    _ai_agent_flags
  else
    _ai_agent_words
  fi
}
`;
}

function toAnswers(known: readonly Completed[]): string {
  return `_ai_agent_value() {
  case $flag in
${valueCases(known)}
  esac
}

_ai_agent_flags() {
  case $command in
${flagCases(known)}
  esac
}

_ai_agent_words() {
  case $command in
    '')
      _ai_agent_choose ${[...known.map(({ name }) => name), 'help'].join(' ')}
      _ai_agent_files '*.ai' ;;
    help) if ((count == 0)); then _ai_agent_choose ${known.map(({ name }) => name).join(' ')}; _ai_agent_files '*.ai'; fi ;;
${known.map(wordCase).join('\n')}
  esac
}
`;
}

const replies = `_ai_agent_choose() {
  local each
  for each in "$@"; do
    if [[ $each == "$cur"* ]]; then _ai_agent_reply "$each"; fi
  done
}

# Folders, and the files that fit. What bash would leave unquoted is not offered: it would be run.
_ai_agent_files() {
  # Of what is no file as it stands, as the beginning that two names share, these two stay unquoted.
  local each path from=$cur unquoted='[$\`]'
  case $from in [\\"\\']*) from=\${from:1} ;; esac
  if type compopt >/dev/null 2>&1; then
    compopt -o filenames 2>/dev/null
  else
    # Before bash 4 everything does.
    unquoted='[^[:alnum:]_./~:@%+,=-]'
  fi
  while IFS= read -r each; do
    path=\${each/#\\~\\//$HOME/}
    # shellcheck disable=SC2053
    if [[ $each == *$unquoted* ]]; then continue; fi
    # A piece of a name with a line break in it is no name.
    if [[ ! -e $path ]]; then continue; fi
    # shellcheck disable=SC2053
    if [[ -d $path || \${path##*/} == $1 ]]; then _ai_agent_reply "$each"; fi
  done < <(compgen -f -- "$from")
}

_ai_agent_reply() {
  local whole=$lead$1
  COMPREPLY+=("\${whole#"$glued"}")
}

complete -F _ai_agent ai-agent
`;

function valueCases(known: readonly Completed[]): string {
  const unique = new Map<string, CompletedFlag>();
  for (const flag of known.flatMap(({ flags }) => flags)) for (const name of flag.names) unique.set(name, flag);
  const cases = [...unique].flatMap(([name, { value }]) => {
    if (value === 'none' || value === 'unknown') return [];
    return [`    ${name}) ${value === 'file' ? "_ai_agent_files '*'" : `_ai_agent_choose ${words(value)}`} ;;`];
  });
  return cases.join('\n');
}

function flagCases(known: readonly Completed[]): string {
  const of = (name: string) => words(known.find((one) => one.name === name)?.flags.flatMap(({ names }) => names) ?? []);
  const cases = known.map(({ name }) => `    ${name}) _ai_agent_choose ${of(name)} ;;`);
  return [`    '') _ai_agent_choose ${words(alone.version)} ${of('run')} ;;`, ...cases].join('\n');
}

function words(list: readonly string[]): string {
  return list.map((word) => (/^[\w-]+$/.test(word) ? word : toQuoted(word))).join(' ');
}

function wordCase({ name, takes }: Completed): string {
  if (takes === 'agents') return `    ${name}) _ai_agent_files '*.ai' ;;`;
  if (takes === 'agent') return `    ${name}) if ((count == 0)); then _ai_agent_files '*.ai'; fi ;;`;
  if (takes === 'folder') return `    ${name}) if ((count == 0)); then _ai_agent_files /; fi ;;`;
  if (takes === 'run') return `    ${name}) ${runCase} ;;`;
  return `    ${name}) ${takes ? `if ((count == 0)); then _ai_agent_choose ${words(takes)}; fi` : ':'} ;;`;
}

/** The agent first; in a prompt only what stands behind an @. */
const runCase = `
      if ((count == 0)); then _ai_agent_files '*.ai'
      elif [[ -z $over && $cur == @* ]]; then lead=@ cur=\${cur#@}; _ai_agent_files '*'; fi`;
