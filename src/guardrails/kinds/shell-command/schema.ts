import type { EntryFields, ValuesOf } from '../contract/entry-fields';

const MAX_PATTERN = 255;
const MAX_PATTERNS = 200;
/** Maximum number of patterns that are compared with each argument of a program. */
const MAX_ARGUMENTS = 20;

export const HIDDEN_COMMANDS = ['refuse', 'allow'] as const;

export const commandFields = {
  programs: {
    form: 'texts',
    description:
      'programs that are denied wherever in the script they run, by name or by absolute path; `*` and `?` stand for characters.',
    maxItems: MAX_PATTERNS,
    maxLength: MAX_PATTERN,
    example: ['rm', 'mkfs*', '/opt/backup/bin/wipe'],
  },
  program_arguments: {
    form: 'texts',
    description:
      'the programs are denied only where each of these is among their arguments: an option such as `-r` (also found in `-rf`) or `--recursive`, ' +
      'a path such as `/etc/*` (also its parent folders), or another text; `*` and `?` stand for characters.',
    maxItems: MAX_ARGUMENTS,
    maxLength: MAX_PATTERN,
    example: ['-r', '/etc/*'],
  },
  redirects_to: {
    form: 'texts',
    description: 'absolute paths to which no output may be redirected; `*` and `?` stand for characters.',
    maxItems: MAX_PATTERNS,
    maxLength: MAX_PATTERN,
    example: ['/etc/*', '/dev/sd*'],
  },
  hidden_commands: {
    form: 'choice',
    description:
      'what becomes of a script that cannot be read, or runs what is not in its text. `refuse` unless given.',
    choices: HIDDEN_COMMANDS,
  },
} as const satisfies EntryFields;

/** Values of a `shell_command` entry. */
export type CommandValues = ValuesOf<typeof commandFields>;
