import { visibleName } from '../../kernel/text/names';

/**
 * Warnings about a name for people who accept its tool: names come from servers, and are compared exactly.
 */
export class NameWarnings {
  /** Number of names for each look. */
  private readonly looks = new Map<string, number>();

  /** @param names of all tools of the connection. */
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

/** Appearance of a name at a glance: without invisible characters, case and separators. */
function lookOf(name: string): string {
  return visibleName(name)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[-_ ./]/g, '_');
}
