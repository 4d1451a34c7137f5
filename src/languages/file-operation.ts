import type { FileEffect, ParsedFileOperation, PathFact } from './file-operation/facts';
import type { Language } from './language';
import { isPlain } from './plain';

/** Separates the words of an operation from its paths, which may have any other character. */
const BEFORE_PATH = '\0';

/** Label `channel` of the sessions whose inputs are operations on files. */
export const FILES_CHANNEL = 'sftp';

/** Effects of operations on their only path. */
const ON_PATH: Readonly<Record<string, readonly FileEffect[]>> = {
  // Begins a session, and touches no file.
  subsystem: [],
  lstat: ['inspect'],
  stat: ['inspect'],
  statvfs: ['inspect'],
  realpath: ['inspect'],
  readlink: ['inspect'],
  list: ['list'],
  // It also changes the length of a file.
  setstat: ['write'],
  mkdir: ['write'],
  remove: ['delete'],
  rmdir: ['delete'],
  read: ['read'],
  write: ['write'],
};

/** Effects of operations with two paths on the first and on the second. */
const ON_TWO_PATHS: Readonly<Record<string, readonly [readonly FileEffect[], readonly FileEffect[]]>> = {
  rename: [
    ['rename', 'delete'],
    ['rename', 'write'],
  ],
  // By its new name, the file can be read and written afterwards.
  link: [
    ['link', 'read', 'write'],
    ['link', 'write'],
  ],
  symlink: [
    ['link', 'read', 'write'],
    ['link', 'write'],
  ],
};

/**
 * Operations on files, such as those of SFTP. A text has the words of the operation and each path after a
 * null character; a text without one is read as recordings have it (`rename /srv/a /srv/b`). The words are
 * the name and, for `open`, its flags (`open write,create`), or for `read` and `write` the number of bytes
 * that were moved by the end of the operation (`write 4096`).
 */
export const fileOperation: Language = {
  name: 'file_operation',
  isPlain,
  facts: 'files',
  parse: parseFileOperation,
  fitsInline: () => true,
};

/** Returns the text of an operation. */
export function fileOperationText(words: string, paths: readonly string[]): string {
  return [words, ...paths].join(BEFORE_PATH);
}

function parseFileOperation(text: string): ParsedFileOperation {
  const [words = '', ...paths] = text.includes(BEFORE_PATH) ? text.split(BEFORE_PATH) : asRecorded(text);
  const [name = '', detail = ''] = words.split(' ');
  const facts = factsOf(name, detail, paths);
  if (facts === undefined) return { kind: 'unparseable', reason: 'it is no known operation on files' };
  return { kind: 'file operation', start: 0, end: text.length, paths: facts, bytes: bytesOf(name, detail) };
}

/** The place at which a server appends is not known. */
function bytesOf(name: string, detail: string): number {
  if (name === 'open') return detail.split(',').includes('append') ? Infinity : 0;
  return name === 'read' || name === 'write' ? Number(detail) : 0;
}

/** A space in a path looks like one between two paths, so each of the two may then be the whole rest. */
function asRecorded(text: string): string[] {
  const [, words = text, written] = /^(open \S*|\S+) (.*)$/s.exec(text) ?? [];
  if (written === undefined) return [words];
  if (!Object.hasOwn(ON_TWO_PATHS, words)) return [words, written];
  const paths = written.split(/ (?=\/)/);
  return paths.length === 2 ? [words, ...paths] : [words, written, written];
}

function factsOf(name: string, detail: string, paths: readonly string[]): PathFact[] | undefined {
  const [first, second] = paths;
  if (first === undefined) return undefined;
  if (Object.hasOwn(ON_TWO_PATHS, name)) {
    const [onFirst, onSecond] = ON_TWO_PATHS[name]!;
    if (second === undefined) return undefined;
    return [
      { path: first, effects: onFirst, takesFolder: true },
      { path: second, effects: onSecond, takesFolder: true },
    ];
  }
  const effects = name === 'open' ? effectsOfOpening(detail) : onPath(name);
  return effects && [{ path: first, effects, takesFolder: false }];
}

function onPath(name: string): readonly FileEffect[] | undefined {
  return Object.hasOwn(ON_PATH, name) ? ON_PATH[name] : undefined;
}

function effectsOfOpening(flags: string): FileEffect[] {
  const all = flags.split(',');
  const isWrite = all.some((flag) => flag !== 'read');
  return [...(all.includes('read') ? (['read'] as const) : []), ...(isWrite ? (['write'] as const) : [])];
}
