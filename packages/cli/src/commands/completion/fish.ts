// The completion of fish: a line for each flag and word, under the condition that it belongs to the command so far.

import { alone, type Completed, type CompletedFlag, valuedFlags } from './known.ts';

export function toFish(known: readonly Completed[]): string {
  const names = [...known.map(({ name }) => name), 'help'].join(' ');
  return `# Completes ai-agent in fish. Made by: ai-agent completion fish

# The words so far, without flags and their values.
function __ai_agent_words
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l over 0
    set -l skip 0
    for word in $tokens
        if test $over = 0 -a "$word" = --
            set over 1
            set skip 0
        else if test $skip = 1
            set skip 0
        else if test $over = 0; and string match -qr '^-.' -- $word
            contains -- $word ${valuedFlags(known).join(' ')}; and set skip 1
        else
            printf '%s\\n' $word
        end
    end
end

# Whether the line is one of this command, so far without any word of its own when a second argument is there.
function __ai_agent_is
    set -l words (__ai_agent_words)
    if not set -q words[1]; or not contains -- $words[1] ${names}
        set -p words run
    end
    test "$words[1]" = $argv[1]; and begin
        not set -q argv[2]; or test (count $words) -eq 1
    end
end

function __ai_agent_is_first
    test (count (__ai_agent_words)) -eq 0
end

# Folders and agents, for what stands there.
function __ai_agent_files
    complete -C "__ai_agent_unknown "(commandline -ct) | string match -r '^.*(?:\\.ai|/)(?:\\t.*)?$'
end

# In a prompt only what stands behind an @.
function __ai_agent_prompt
    set -l token (commandline -ct)
    string match -q '@*' -- $token; or return
    complete -C "__ai_agent_unknown "(string sub -s 2 -- $token) | string replace -r '^' @
end

complete -c ai-agent -e
complete -c ai-agent -f
${[...known, { name: 'help', about: alone.help }].map(({ name, about }) => line('__ai_agent_is_first', `-a ${name} -d ${quoted(about)}`)).join('\n')}
${line('__ai_agent_is_first', "-a '(__ai_agent_files)'")}
${line('__ai_agent_is_first', "-l version -s V -d 'Show the version'")}
${line('__ai_agent_is help only', `-a '${names} (__ai_agent_files)'`)}
${known.flatMap(toLines).join('\n')}
`;
}

function toLines({ name, takes, flags }: Completed): readonly string[] {
  const here = `__ai_agent_is ${name}`;
  return [...toWords(name, takes), ...flags.map((flag) => line(here, toFlag(flag)))];
}

function toWords(name: string, takes: Completed['takes']): readonly string[] {
  const only = `__ai_agent_is ${name} only`;
  if (takes === 'run')
    return [line(only, "-a '(__ai_agent_files)'"), line(`__ai_agent_is ${name}`, "-a '(__ai_agent_prompt)'")];
  if (takes === 'agents') return [line(`__ai_agent_is ${name}`, "-a '(__ai_agent_files)'")];
  if (takes === 'agent') return [line(only, "-a '(__ai_agent_files)'")];
  if (takes === 'folder') return [line(only, "-a '(__fish_complete_directories)'")];
  return takes ? [line(only, `-a ${quoted(takes.join(' '))}`)] : [];
}

function toFlag({ names, about, value }: CompletedFlag): string {
  const spelt = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');
  return `${spelt}${toValue(value)} -d ${quoted(about)}`;
}

function toValue(value: CompletedFlag['value']): string {
  if (value === 'none') return '';
  if (value === 'file') return ' -r -F';
  return value === 'unknown' ? ' -x' : ` -x -a ${quoted(value.join(' '))}`;
}

function line(condition: string, rest: string): string {
  return `complete -c ai-agent -n '${condition}' ${rest}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
