/** The answer carries at most this much; the recording has all of it. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** What was delivered, as far as it fits into an answer. */
export class OutputCollector {
  private readonly parts: string[] = [];
  private bytes = 0;
  truncated = false;

  add(text: string): void {
    const size = Buffer.byteLength(text);
    if (this.bytes + size <= MAX_OUTPUT_BYTES) {
      this.parts.push(text);
      this.bytes += size;
      return;
    }
    // U+FFFD at the cut comes from a character that did not fit; it is left out.
    const fits = Buffer.from(text)
      .subarray(0, MAX_OUTPUT_BYTES - this.bytes)
      .toString()
      .replace(/\uFFFD$/, '');
    if (!this.truncated) this.parts.push(fits);
    this.bytes = MAX_OUTPUT_BYTES;
    this.truncated = true;
  }

  get text(): string {
    return this.parts.join('');
  }
}
