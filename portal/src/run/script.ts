import { NotUtf8, strictText } from '../../../src/kernel/text/strict-utf8';
import { meta } from '../shell/meta';
import { texts } from '../texts';

/** The text in the editor. A long text becomes one string only when a caller needs one. */
export interface Script {
  readonly length: number;
  toString(): string;
}

/** Browsers keep some five million characters for a page. */
const LONGEST_KEPT = 2_000_000;
const MEBIBYTE = 1024 * 1024;

/** Whether it comes back when the page is loaded again. */
export const isKept = ({ length }: Script): boolean => length <= LONGEST_KEPT;

/** Whether there is nothing to send. */
export const isBlank = (script: Script): boolean => isKept(script) && script.toString().trim() === '';

/**
 * Why the gateway would not take a text of so many bytes, or characters, of which each has a byte at least;
 * undefined where it may.
 */
export function tooLong(bytes: number): string | undefined {
  const limit = Number(meta('body-limit-mb'));
  return bytes <= limit * MEBIBYTE ? undefined : texts.run.tooLong(bytes / MEBIBYTE, limit);
}

/** The text of a file, in UTF-8. @throws a sentence with the reason why it cannot be opened */
export async function readScript(file: File): Promise<string> {
  const refusal = tooLong(file.size);
  if (refusal !== undefined) throw new Error(refusal);
  try {
    return strictText(new Uint8Array(await file.arrayBuffer()), file.name);
  } catch (error) {
    if (error instanceof NotUtf8)
      throw new Error(texts.run.noText(file.name, error.offset), { cause: error });
    throw error;
  }
}
