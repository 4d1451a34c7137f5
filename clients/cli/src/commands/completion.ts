import type { Command } from 'commander';

interface Known {
  /** Command after which the words may follow, such as `sessions list`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
}

/** Returns, for each command, the words that may follow it: its subcommands and options. */
function knownOf(command: Command, path: readonly string[] = []): Known[] {
  const names = command.commands.map((one) => one.name());
  const options = command.options
    .map(({ long }) => long)
    .filter((long) => long !== undefined && long !== null);
  return [
    { path: path.join(' '), words: [...names, ...options, '--help'] },
    ...command.commands.flatMap((one) => knownOf(one, [...path, one.name()])),
  ];
}

/** Returns a completion script. The shell reads it once and starts no program when the user presses Tab. */
export function completionFor(shell: string, program: Command): string {
  const known = knownOf(program);
  const cases = known.map(({ path, words }) => `    '${path}') words='${words.join(' ')}';;`);
  const heads = known.map(({ path }) => `'${path}'`).join('|');
  if (shell === 'fish') return fish(known);
  const body = `  local path='' word words=''
  for word in "\${before[@]}"; do
    case "\${path:+$path }$word" in ${heads}) path="\${path:+$path }$word";; esac
  done
  case "$path" in
${cases.join('\n')}
  esac`;
  return shell === 'zsh'
    ? `#compdef gateway\n_gateway() {\n  local -a before=("\${words_typed[@]}")\n${body.replace("words=''", "words=''")}\n  compadd -- \${=words}\n}\n`.replace(
        'local -a before=("${words_typed[@]}")',
        'local -a before=("${(@)words[2,CURRENT-1]}")',
      ) + 'compdef _gateway gateway\n'
    : `_gateway() {\n  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")\n${body}\n  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))\n}\ncomplete -o default -F _gateway gateway\n`;
}

function fish(known: readonly Known[]): string {
  const lines = known.flatMap(({ path, words }) => {
    const [first, second] = path.split(' ');
    const condition =
      first === ''
        ? '__fish_use_subcommand'
        : `__fish_seen_subcommand_from ${first ?? ''}${second === undefined ? '' : `; and __fish_seen_subcommand_from ${second}`}`;
    return words.map((word) =>
      word.startsWith('--')
        ? `complete -c gateway -n '${condition}' -l ${word.slice(2)}`
        : `complete -c gateway -f -n '${condition}' -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}
