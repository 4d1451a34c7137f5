/**
 * Values by name, as in a Map. Most clients use the unnamed one alone, thousands of times a second: it is a
 * field of its own.
 */
export class NamedSlots<T> {
  private unnamed: T | undefined;
  private readonly named = new Map<string, T>();

  /** Number of values with a name. */
  get namedCount(): number {
    return this.named.size;
  }

  get(name: string): T | undefined {
    return name === '' ? this.unnamed : this.named.get(name);
  }

  set(name: string, value: T): void {
    if (name === '') this.unnamed = value;
    else this.named.set(name, value);
  }

  delete(name: string): void {
    if (name === '') this.unnamed = undefined;
    else this.named.delete(name);
  }

  /** Deletes the value with a name that was set first. */
  deleteOldestNamed(): void {
    for (const name of this.named.keys()) return void this.named.delete(name);
  }

  clear(): void {
    this.unnamed = undefined;
    if (this.named.size > 0) this.named.clear();
  }
}
