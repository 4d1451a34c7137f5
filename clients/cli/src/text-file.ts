import { readFileSync } from 'node:fs';
import { strictText } from '../../../src/kernel/text/strict-utf8.js';
import { CommandFault, EXIT } from './exit-codes.js';

/**
 * Reads the text of a file, or of standard input for `-`.
 * @param what names the content in the error message, for example `the script`
 * @throws CommandFault `usage`, also if the text is not UTF-8, because a byte must never be replaced silently
 */
export function readTextFile(file: string, what: string): string {
  try {
    return file === '-'
      ? strictText(readFileSync(0), 'standard input')
      : strictText(readFileSync(file), file);
  } catch (error) {
    throw new CommandFault(`${what} cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}

const REPLACEMENT = '\uFFFD';

/**
 * Returns an argument if it is valid UTF-8. Node.js replaces invalid bytes of arguments with U+FFFD and does
 * not report it.
 * @throws CommandFault `usage`
 */
export function strictArgument(argument: string): string {
  if (!argument.includes(REPLACEMENT)) return argument;
  throw new CommandFault(
    'an argument has U+FFFD, which stands for bytes that are not UTF-8; if it is meant, give it in a file',
    EXIT.usage,
  );
}
