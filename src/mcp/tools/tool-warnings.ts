import { visibleName } from '../../kernel/text/names';

/**
 * Warnings about tool names, for people who accept tools. Servers choose the names, which are compared
 * exactly, so two tools may have names that look the same.
 */
export class NameWarnings {
  /** Number of tool names by their normalized form, the result of `lookOf`. */
  private readonly looks = new Map<string, number>();

  /** @param names names of all tools of the connection. */
  constructor(names: Iterable<string>) {
    for (const name of names) {
      const seen = lookOf(name);
      this.looks.set(seen, (this.looks.get(seen) ?? 0) + 1);
    }
  }

  of(name: string): string[] {
    const isShared = (this.looks.get(lookOf(name)) ?? 0) > 1;
    return [
      ...(visibleName(name) === name ? [] : ['the name has invisible characters or another Unicode form']),
      ...(/\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name)
        ? ['the name mixes letters of several scripts, which may look alike']
        : []),
      ...(isShared ? ['the name looks like that of another tool of this connection'] : []),
    ];
  }
}

/** Returns what people see of a name at a glance: without invisible characters, case and separators. */
function lookOf(name: string): string {
  return visibleName(name)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[-_ ./]/g, '_');
}
