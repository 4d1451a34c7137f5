import { type CommandValues, HIDDEN_COMMANDS } from './schema';

/** Conditions of a `shell_command` entry. It forbids a command that meets one of them. */
export interface CommandCondition {
  /** Names in lower case, and absolute paths. */
  readonly programs: readonly string[];
  /** A program is forbidden only with all of these arguments. */
  readonly programArguments: readonly string[];
  readonly redirectsTo: readonly string[];
  /** Whether scripts are refused when they run what is not in their text. */
  readonly refusesHidden: boolean;
}

/** @throws Error with a message for the admin */
export function compileCommandCondition(entry: CommandValues): CommandCondition {
  const { programs = [], program_arguments = [], redirects_to = [], hidden_commands = 'refuse' } = entry;
  if (programs.length === 0 && redirects_to.length === 0)
    throw new Error('give at least one of programs and redirects_to');
  if (program_arguments.length > 0 && programs.length === 0)
    throw new Error('program_arguments needs programs');
  if (!HIDDEN_COMMANDS.includes(hidden_commands))
    throw new Error(`hidden_commands must be one of ${HIDDEN_COMMANDS.join(', ')}`);
  if (program_arguments.includes('')) throw new Error('program_arguments must not contain an empty text');
  return {
    programs: programs.map(programPattern),
    programArguments: program_arguments,
    redirectsTo: redirects_to.map(pathPattern),
    refusesHidden: hidden_commands === 'refuse',
  };
}

function programPattern(written: string): string {
  const isName = /^[^/\s]+$/.test(written);
  const isPath = /^\/\S*[^/\s]$/.test(written);
  if (!isName && !isPath) throw new Error(`${written} is not a program like rm or /usr/bin/rm`);
  return written.toLowerCase();
}

function pathPattern(written: string): string {
  if (!/^[/*]/.test(written)) throw new Error(`${written} is not an absolute path like /etc/*`);
  return written;
}
