import type { TextRange } from '../text/mapped-text';
import type { Unparseable } from '../text/unparseable';

/** Possible effects of an operation on a path. */
export const FILE_EFFECTS = ['read', 'write', 'delete', 'rename', 'link', 'list', 'inspect'] as const;
export type FileEffect = (typeof FILE_EFFECTS)[number];

/** Effects of an operation on one path. */
export interface PathFact {
  readonly path: string;
  readonly effects: readonly FileEffect[];
  /** Whether all that is in the folder gets another path, if the path is one of a folder. */
  readonly takesFolder: boolean;
}

/** An operation on files. The range is that of the operation in the input, in UTF-16 code units. */
export interface FileOperationFacts extends TextRange {
  readonly kind: 'file operation';
  readonly paths: readonly PathFact[];
  /** Number of bytes of the file that are read or written by the end of this operation; 0 if none. */
  readonly bytes: number;
}

/** Result of reading a text. */
export type ParsedFileOperation = FileOperationFacts | Unparseable;
