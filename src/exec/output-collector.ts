/** Largest output in an answer; the recording has everything. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Collects delivered output for the answer, up to the limit. */
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
    // A U+FFFD at the end comes from a character that was cut, so it is left out.
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
