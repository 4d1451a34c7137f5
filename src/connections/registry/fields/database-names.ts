import type { NamedDatabase } from '../../../gate/ports/target-directory';
import { isQualifiedDatabase } from '../../../gate/ports/qualified-database';

/** A connection with a database name, and the groups that may see the connection. */
export interface KnownDatabase extends NamedDatabase {
  readonly accessGroups: readonly string[];
}

/** Finds connections by the names of their databases. Several connections may have the same database name. */
export class DatabaseNames {
  private readonly byDatabase = new Map<string, KnownDatabase[]>();
  private longest = 0;

  add(known: KnownDatabase): void {
    const { database } = known;
    const same = this.byDatabase.get(database);
    if (same === undefined) this.byDatabase.set(database, [known]);
    else same.push(known);
    this.longest = Math.max(this.longest, database.length);
  }

  /** Returns the connections that the text names: `database`, `database@connection`, or `database@id`. */
  named(text: string): KnownDatabase[] {
    const found = [...(this.byDatabase.get(text) ?? [])];
    for (let at = text.indexOf('@'); at >= 0 && at <= this.longest; at = text.indexOf('@', at + 1)) {
      const same = this.byDatabase.get(text.slice(0, at)) ?? [];
      found.push(...same.filter((known) => isQualifiedDatabase(text, known)));
    }
    return found;
  }
}
