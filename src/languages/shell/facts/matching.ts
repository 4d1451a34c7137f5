import { literalStart, matchesPattern, matchesPath } from '../../text/wildcards';
import { ANY } from '../reading/word';
import { baseName } from './arguments';
import type { CommandFact, ShellFacts } from './facts';
import { isInProgramFolder, normalPath, onlyLooks } from './paths';

/** Whether a fact meets a pattern; `maybe` if that depends on what only the shell knows. */
export type Certainty = 'yes' | 'no' | 'maybe';

/** Folders in which no relative path ends, unless the script changes its directory. */
const NO_HOME = /^\/(?:etc|usr|s?bin|boot|lib\w*|dev|proc|sys|opt)(?:\/|$)/;

/** Programs that a command names, so that many rules can be compared with them. */
export interface NamedPrograms {
  /** The program that it runs: a name, or a path. */
  readonly called: string;
  /** Paths of programs in its arguments. It may run them, or give them another name. */
  readonly mentioned: readonly string[];
}

export function namedPrograms({ program, args }: CommandFact): NamedPrograms {
  const mentioned = onlyLooks(program) ? [] : args.flatMap((argument) => programIn(argument));
  return { called: normalPath(program.toLowerCase()), mentioned: [...new Set(mentioned)] };
}

function programIn(argument: string): string[] {
  const at = argument.indexOf('/');
  const path = argument.slice(at);
  return at !== -1 && isInProgramFolder(path) ? [normalPath(path.toLowerCase())] : [];
}

/**
 * Whether a program may be the wanted one: by its name, or by its path where both have one.
 * @param program as `namedPrograms` has it
 */
export function runsProgram(program: string, wanted: string): boolean {
  if (!wanted.includes('/')) return matchesPattern(wanted, baseName(program));
  // A name, and a relative path, may lead anywhere.
  if (!program.startsWith('/')) return matchesPattern(baseName(wanted), baseName(program));
  return matchesPattern(normalPath(wanted), program);
}

/**
 * Whether an argument meets a pattern. An option of one letter is also found among others (`-r` in `-rf`), a
 * long option also shortened, and a path also written in another way or as a folder that contains it.
 */
export function takesArgument(args: readonly string[], wanted: string, facts: ShellFacts): Certainty {
  return best(args, (argument) => {
    if (wanted.startsWith('/')) return best(pathsIn(argument), (path) => leadsTo(path, wanted, facts));
    if (/^-[^-*?]$/.test(wanted) && /^-[^-]/.test(argument) && argument.includes(wanted.charAt(1)))
      return 'yes';
    if (/^--[^*?]+$/.test(wanted) && /^--./.test(argument)) {
      const [option = ''] = argument.replace(ANY, '=').split('=', 1);
      if (wanted.startsWith(option) && option !== '--') return 'yes';
    }
    return meets(argument, wanted);
  });
}

/** Whether a redirection writes a file that meets a pattern. */
export function redirectsTo(path: string, wanted: string, facts: ShellFacts): Certainty {
  return leadsTo(path, wanted, facts);
}

/** Returns a word for people, with `…` for what is unknown. */
export function shownWord(text: string): string {
  return text.replaceAll(ANY, '…');
}

function best<T>(values: readonly T[], certaintyOf: (value: T) => Certainty): Certainty {
  let found: Certainty = 'no';
  for (const value of values) {
    const certainty = certaintyOf(value);
    if (certainty === 'yes') return 'yes';
    if (certainty === 'maybe') found = 'maybe';
  }
  return found;
}

/** Returns the texts of an argument that may be a path: itself, and the value of an option. */
function pathsIn(argument: string): string[] {
  const equals = argument.indexOf('=');
  const values = equals === -1 ? [] : [argument.slice(equals + 1)];
  if (/^-[^-]/.test(argument)) values.push(argument.slice(2));
  return argument.startsWith('-') ? values : [argument, ...values];
}

function leadsTo(path: string, wanted: string, facts: ShellFacts): Certainty {
  if (path === '') return 'no';
  if (!path.startsWith('/') && !path.startsWith(ANY)) {
    const mayLeaveHome = facts.changesDirectory || path.includes('..') || path.includes(ANY);
    return mayLeaveHome || !NO_HOME.test(wanted) ? 'maybe' : 'no';
  }
  if (!path.includes(ANY)) return matchesPath(wanted, normalPath(path)) ? 'yes' : 'no';
  // An unknown piece may end in `/`, and the rest may then go up from there.
  if (path.includes('..')) return 'maybe';
  const short = path.replaceAll(/\/(?:\.?\/)+/g, '/').replace(/\/\.?$/, '');
  return [wanted, ...foldersAbove(wanted)].some((each) => meets(short, each) !== 'no') ? 'maybe' : 'no';
}

function foldersAbove(wanted: string): string[] {
  const folders: string[] = [];
  const start = literalStart(wanted);
  for (let at = start.lastIndexOf('/'); at > 0; at = start.lastIndexOf('/', at - 1))
    folders.push(start.slice(0, at));
  return folders;
}

function meets(text: string, wanted: string): Certainty {
  const at = text.indexOf(ANY);
  if (at === -1) return matchesPattern(wanted, text) ? 'yes' : 'no';
  const [start, end] = [text.slice(0, at), text.slice(text.lastIndexOf(ANY) + 1)];
  const [wantedStart, wantedEnd] = [literalStart(wanted), literalEnd(wanted)];
  const isPossible =
    (start.startsWith(wantedStart) || wantedStart.startsWith(start)) &&
    (end.endsWith(wantedEnd) || wantedEnd.endsWith(end));
  return isPossible ? 'maybe' : 'no';
}

function literalEnd(pattern: string): string {
  return pattern.slice(Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?')) + 1);
}
