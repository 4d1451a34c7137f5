import { NotUtf8, strictText } from '../../../src/kernel/text/strict-utf8';
import { meta } from '../shell/meta';
import { texts } from '../texts';

/** The text in the editor. It becomes one string only when a caller needs one, because it may be long. */
export interface Script {
  readonly length: number;
  toString(): string;
}

/** Maximum characters that are stored. Browsers store about five million characters for a page. */
const LONGEST_KEPT = 2_000_000;
const MEBIBYTE = 1024 * 1024;

/** Whether the script is stored, so that it survives a reload of the page. */
export const isKept = ({ length }: Script): boolean => length <= LONGEST_KEPT;

/** Whether the script is empty or white space. Scripts that are too long to store count as not blank. */
export const isBlank = (script: Script): boolean => isKept(script) && script.toString().trim() === '';

/**
 * Returns why the gateway would refuse a text of this many bytes. Returns undefined if the gateway may accept
 * the text. Also works with a number of characters, because each character has at least one byte.
 */
export function tooLong(bytes: number): string | undefined {
  const limit = Number(meta('body-limit-mb'));
  return bytes <= limit * MEBIBYTE ? undefined : texts.run.tooLong(bytes / MEBIBYTE, limit);
}

/** Reads a file as UTF-8 text. @throws Error with a sentence for the person: too long, or not UTF-8 */
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
