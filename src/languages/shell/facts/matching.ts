import { ANY } from '../reading/word';
import { baseName } from './arguments';
import type { ShellFacts } from './facts';
import { isInProgramFolder, normalPath, onlyLooks } from './paths';

/** Whether a fact meets a pattern; `maybe` if that depends on what only the shell knows. */
export type Certainty = 'yes' | 'no' | 'maybe';

/** Folders in which no relative path ends, unless the script changes its directory. */
const NO_HOME = /^\/(?:etc|usr|s?bin|boot|lib\w*|dev|proc|sys|opt)(?:\/|$)/;

/** Whether a program may be the wanted one: by its name, or by its path where both have one. */
export function runsProgram(program: string, wanted: string): boolean {
  const path = normalPath(program.toLowerCase());
  if (!wanted.includes('/')) return matches(wanted, baseName(path));
  // A name, and a relative path, may lead anywhere.
  if (!path.startsWith('/')) return matches(baseName(wanted), baseName(path));
  return matches(normalPath(wanted), path);
}

/**
 * Whether an argument is the path of the wanted program. Then another program may run it, or give it another
 * name.
 */
export function mentionsProgram(program: string, args: readonly string[], wanted: string): boolean {
  if (onlyLooks(program)) return false;
  return args.some((argument) => {
    const at = argument.indexOf('/');
    if (at === -1 || !isInProgramFolder(argument.slice(at))) return false;
    return runsProgram(argument.slice(at), wanted);
  });
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

/** Whether a path meets the pattern, or is a folder that contains what the pattern names. */
function matchesPath(wanted: string, path: string): boolean {
  return matches(wanted, path) || literalStart(wanted).startsWith(path === '/' ? '/' : `${path}/`);
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
  if (at === -1) return matches(wanted, text) ? 'yes' : 'no';
  const [start, end] = [text.slice(0, at), text.slice(text.lastIndexOf(ANY) + 1)];
  const [wantedStart, wantedEnd] = [literalStart(wanted), literalEnd(wanted)];
  const isPossible =
    (start.startsWith(wantedStart) || wantedStart.startsWith(start)) &&
    (end.endsWith(wantedEnd) || wantedEnd.endsWith(end));
  return isPossible ? 'maybe' : 'no';
}

function literalStart(pattern: string): string {
  const at = pattern.search(/[*?]/);
  return at === -1 ? pattern : pattern.slice(0, at);
}

function literalEnd(pattern: string): string {
  return pattern.slice(Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?')) + 1);
}

/** Whether a text matches a pattern in which `*` stands for any characters, and `?` for one. */
function matches(pattern: string, text: string): boolean {
  let [at, to] = [0, 0];
  let star = -1;
  let resumed = 0;
  while (to < text.length) {
    const wanted = pattern.charAt(at);
    if (wanted === '*') {
      star = at;
      resumed = to;
      at += 1;
    } else if (wanted !== '' && (wanted === '?' || wanted === text.charAt(to))) {
      at += 1;
      to += 1;
    } else if (star !== -1) {
      at = star + 1;
      resumed += 1;
      to = resumed;
    } else return false;
  }
  while (pattern.charAt(at) === '*') at += 1;
  return at === pattern.length;
}
