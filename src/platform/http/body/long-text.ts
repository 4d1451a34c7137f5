import { TextDecoder } from 'node:util';

/**
 * Decodes the rest of a long JSON string from its bytes, without the closing quote. Decodes the bytes as they
 * arrive, because decoding 64 MB at once would block the event loop for hundreds of milliseconds.
 */
export class LongJsonString {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private readonly pieces: string[] = [];
  /** Text from the start of an escape sequence that is still incomplete. */
  private tail = '';

  /** @throws TypeError for invalid UTF-8; SyntaxError for an invalid JSON string. */
  push(bytes: Uint8Array): void {
    this.addText(this.tail + this.decoder.decode(bytes, { stream: true }));
  }

  /** Returns the text. All bytes must have been pushed. */
  end(): string {
    this.addText(this.tail + this.decoder.decode());
    if (this.tail !== '') throw new SyntaxError('the string ends within an escape sequence');
    return this.pieces.join('');
  }

  private addText(text: string): void {
    const end = completeLength(text);
    this.tail = text.slice(end);
    if (end > 0) this.pieces.push(JSON.parse(`"${text.slice(0, end)}"`) as string);
  }
}

const ESCAPE_LENGTH = 2;
const UNICODE_ESCAPE_LENGTH = 6;

/** The length of a text up to its last complete escape sequence. The text must not begin inside one. */
function completeLength(text: string): number {
  const last = text.lastIndexOf('\\');
  if (last === -1 || last < text.length - UNICODE_ESCAPE_LENGTH) return text.length;
  let first = last;
  while (first > 0 && text[first - 1] === '\\') first -= 1;
  // An even number of backslashes are escaped backslashes, so the last one begins no escape sequence.
  if ((last - first) % 2 === 1) return text.length;
  const length = text[last + 1] === 'u' ? UNICODE_ESCAPE_LENGTH : ESCAPE_LENGTH;
  return last + length <= text.length ? text.length : last;
}
