/**
 * Values by name, as in a Map. The value with the empty name has a field of its own, because most clients use
 * only this value, thousands of times a second.
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

  /** Deletes the oldest of the values with a name. */
  deleteOldestNamed(): void {
    for (const name of this.named.keys()) return void this.named.delete(name);
  }

  clear(): void {
    this.unnamed = undefined;
    if (this.named.size > 0) this.named.clear();
  }
}
