import { ANY } from '../reading/word';
import { type Argument, baseName } from './arguments';

/** Folders in which a shell looks for programs. */
const PROGRAM_FOLDERS = /^(?:\/usr(?:\/local)?)?\/(?:s?bin|games)(?:\/|$)|^\/snap\/bin(?:\/|$)/;

/** Folders in which users of a server may write files. */
const USER_FOLDERS = /^\/(?:tmp|home|root|Users|proc|dev|run|mnt|media|var\/(?:tmp|run|spool|www))(?:\/|$)/;

/** Removes `.`, `..` and empty parts from an absolute path, without a look at the file system. */
export function normalPath(path: string): string {
  if (!path.startsWith('/')) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function isInProgramFolder(path: string): boolean {
  return PROGRAM_FOLDERS.test(normalPath(path));
}

/** Whether users of the server may have written the program at this path. False for a name without path. */
export function mayBeWrittenByUsers(program: string): boolean {
  if (!program.includes('/')) return program.startsWith('~');
  return !program.startsWith('/') || program.includes(ANY) || USER_FOLDERS.test(normalPath(program));
}

/** Whether `PATH=…`, as written, names only folders of programs, and what `PATH` was before. */
export function keepsPrograms(written: string): boolean {
  const value = written.replace(/^[^=]*=/, '').replaceAll(/["']/g, '');
  return value
    .split(':')
    .every(
      (part) =>
        part === '$PATH' || part === '${PATH}' || (/^[\w./+-]+$/.test(part) && isInProgramFolder(part)),
    );
}

/** Programs whose last argument, or the value of `-t`, is written. */
const COPIES = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp']);
/** Patterns, per program, of options whose value is written. An empty pattern stands for each argument. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  tee: /^/,
  truncate: /^/,
  dd: /^of=/,
  curl: /^-\w*o|^--output/,
  wget: /^-\w*[OP]|^--(?:output-document|directory-prefix)/,
  tar: /^-\w*C|^--directory/,
  unzip: /^-d/,
};

/** Whether a program writes to a folder in which a shell looks for programs. */
export function putsProgram(name: string, args: readonly Argument[]): boolean {
  const isProgram = (text: string): boolean => {
    const at = text.indexOf('/');
    return at !== -1 && isInProgramFolder(text.slice(at));
  };
  if (COPIES.has(name)) {
    const target = args.findLast(({ text }) => !text.startsWith('-'));
    const given = args.filter(({ text }, at) => /^-t|^--target/.test(text) || args[at - 1]?.text === '-t');
    return [...given, ...(target === undefined ? [] : [target])].some(({ text }) => isProgram(text));
  }
  const written = Object.hasOwn(WRITTEN, name) ? WRITTEN[name] : undefined;
  if (written === undefined) return false;
  return args.some(
    ({ text }, at) => isProgram(text) && (written.test(text) || written.test(args[at - 1]?.text ?? '')),
  );
}

const LOOKS =
  /^(?:ls|stat|file|which|type|whereis|test|\[|echo|printf|dpkg|rpm|man|readlink|realpath|(?:md5|sha\d+)sum)$/;

/** Whether a program looks at the files in its arguments, and neither runs nor changes them. */
export function onlyLooks(program: string): boolean {
  return LOOKS.test(baseName(program));
}
