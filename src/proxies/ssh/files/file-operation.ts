import { posix } from 'node:path';
import type { Command, JudgedText } from '../../../gate/command';
import { fileOperationText } from '../../../languages/file-operation';
import type { OpenFile } from './open-files';
import { MalformedPacket } from './packets';

/** An operation on one path or two, as rules and the recording need it. */
export interface FileOperation {
  /** The operation with its paths as they were sent: `remove /etc/motd`. */
  readonly text: string;
  readonly words: string;
  readonly paths: readonly string[];
  /** Whether it is recorded although nothing refuses it. Questions about a file are not. */
  readonly isRecorded: boolean;
}

type FileCommand = Extract<Command, { kind: 'statement' | 'repeated' }>;

/** @throws MalformedPacket */
export function operationOf(words: string, paths: readonly string[], isRecorded: boolean): FileOperation {
  if (paths.some((path) => path.includes('\0'))) throw new MalformedPacket('a path has a null character');
  return { text: `${words} ${paths.join(' ')}`, words, paths, isRecorded };
}

/**
 * Returns an operation as rules look at it: its text with the paths as they were sent, without `.`, `..` and
 * doubled slashes, and as absolute paths; and what it does.
 * @param startFolder the folder in which the server begins, which relative paths are relative to
 */
export function fileCommandOf(operation: FileOperation, startFolder: string): FileCommand {
  const { text, words, paths, isRecorded } = operation;
  const written = (all: readonly string[]): string => `${words} ${all.map(plainPath).join(' ')}`;
  const absolute = absolutePaths(operation, startFolder);
  const texts = [...new Set([text, written(paths), written(absolute)])].map(asValue);
  const judged: JudgedText[] = [...texts, { text: fileOperationText(words, absolute), as: 'alongside' }];
  return isRecorded ? { kind: 'statement', text, judged } : { kind: 'repeated', texts, judged };
}

/**
 * Returns a transfer of bytes of an open file as rules look at it, whatever the bytes are.
 * @param bytes number of bytes from the beginning of the file to the end of what is moved
 */
export function transferOf(
  direction: 'read' | 'write',
  { path, absolute }: OpenFile,
  bytes: number,
): FileCommand {
  return {
    kind: 'repeated',
    texts: [asValue(`${direction} ${path}`)],
    judged: [{ text: fileOperationText(`${direction} ${bytes}`, [absolute]), as: 'alongside' }],
  };
}

function asValue(text: string): JudgedText {
  return { text, as: 'value' };
}

/** @param startFolder as in `fileCommandOf` */
export function absolutePaths({ words, paths }: FileOperation, startFolder: string): string[] {
  const absolute = paths.map((path) => posix.resolve(startFolder, path));
  // The target of a symbolic link is relative to the folder of the link.
  if (words === 'symlink')
    absolute[0] = posix.resolve(startFolder, posix.dirname(paths[1] ?? ''), paths[0] ?? '');
  return absolute;
}

/** Whether a path is relative to the folder in which the server begins. */
export function isRelative({ paths }: FileOperation): boolean {
  return paths.some((path) => !posix.isAbsolute(path));
}

function plainPath(path: string): string {
  const plain = posix.normalize(path);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}
