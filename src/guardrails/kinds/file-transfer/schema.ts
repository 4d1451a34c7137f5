import { FILE_EFFECTS } from '../../../languages/file-operation/facts';
import type { EntryFields, ValuesOf } from '../contract/entry-fields';

const MAX_PATTERN = 255;
const MAX_PATTERNS = 50;
/** Generated clients in some languages have integers of 32 bits. */
const MAX_BYTES = 2 ** 31 - 1;

export const fileFields = {
  file_operations: {
    form: 'choices',
    description:
      'what is denied; everything unless given. `rename` is also a `delete` of the old path and a `write` of the new one; `link` also a `read` and a `write` ' +
      'of what it leads to; `write` is any change, also of attributes; `inspect` asks for attributes.',
    choices: FILE_EFFECTS,
  },
  file_paths: {
    form: 'texts',
    description:
      'absolute paths for which that is denied; `*` and `?` stand for characters, also for `/`. A folder that contains one cannot be renamed or linked to.',
    maxItems: MAX_PATTERNS,
    maxLength: MAX_PATTERN,
    example: ['/etc/*', '/root/.ssh/*'],
  },
  file_extensions: {
    form: 'texts',
    description: 'ends of file names for which that is denied, in any case, without the dot before them.',
    maxItems: MAX_PATTERNS,
    maxLength: MAX_PATTERN,
    example: ['exe', 'tar.gz'],
  },
  file_bytes_over: {
    form: 'integer',
    description: 'files may be read and written up to so many bytes; what is beyond them is denied.',
    min: 0,
    max: MAX_BYTES,
  },
} as const satisfies EntryFields;

/** Values of a `file_transfer` entry. */
export type FileValues = ValuesOf<typeof fileFields>;
