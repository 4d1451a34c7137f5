import { FILE_EFFECTS, type FileEffect } from '../../../languages/file-operation/facts';
import type { FileValues } from './schema';

/** Conditions of a `file_transfer` entry. It forbids what meets all of them. */
export interface FileCondition {
  readonly effects: readonly FileEffect[];
  /** Patterns of absolute paths; none: every path. */
  readonly paths: readonly string[];
  /** Ends of file names in lower case, with the dot before them; none: every name. */
  readonly endings: readonly string[];
  /** Number of bytes up to which a file may be read and written. Undefined: the size does not matter. */
  readonly bytesOver: number | undefined;
}

/** @throws Error with a message for the admin */
export function compileFileCondition(entry: FileValues): FileCondition {
  const { file_operations = [], file_paths = [], file_extensions = [], file_bytes_over: bytesOver } = entry;
  const isEmpty = [file_operations, file_paths, file_extensions].every((given) => given.length === 0);
  if (isEmpty && bytesOver === undefined)
    throw new Error('give at least one of file_operations, file_paths, file_extensions and file_bytes_over');
  const effects = file_operations.length === 0 ? FILE_EFFECTS : file_operations;
  if (bytesOver !== undefined && file_operations.some((each) => each !== 'read' && each !== 'write'))
    throw new Error('file_bytes_over limits read and write alone: give another entry for other operations');
  return {
    effects,
    paths: file_paths.map(pathPattern),
    endings: file_extensions.map(ending),
    bytesOver,
  };
}

function pathPattern(written: string): string {
  if (!/^[/*]/.test(written)) throw new Error(`${written} is not an absolute path like /etc/*`);
  return written;
}

function ending(written: string): string {
  if (!/^[^./*?][^/*?]*$/.test(written)) throw new Error(`${written} is not an extension like exe or tar.gz`);
  return `.${written.toLowerCase()}`;
}
