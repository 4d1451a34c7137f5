import { foldTables } from './folding';

const PAGE = 256;
const PAGES = 256;

/**
 * Code units that no word distinguishes, case aside, share a class, so the automaton's rows stay short. A
 * table of 256 pages of which the unused ones are one: about 1 kB for Latin words, 128 kB at most.
 */
export class UnitClasses {
  /** Number of classes, with that of units that are in no word: at 0 the automaton returns to its root. */
  readonly count: number;
  /** Offset of each page in `classes`, by the unit's upper eight bits. */
  readonly pages: Int32Array;
  readonly classes: Uint16Array;

  /** @param words folded. */
  constructor(words: readonly string[]) {
    const isThere = new Uint8Array(0x1_0000);
    const found: number[] = [];
    for (const word of words) {
      for (let at = 0; at < word.length; at++) {
        const unit = word.charCodeAt(at);
        if (isThere[unit] === 1) continue;
        isThere[unit] = 1;
        found.push(unit);
      }
    }
    found.sort((a, b) => a - b);
    // Fewer than 65 536, as letters with case fold into others: a class always fits 16 bits.
    this.count = found.length + 1;
    this.pages = new Int32Array(PAGES);
    const used = [new Uint16Array(PAGE)];
    // For a few words only their units are looked at, not all units.
    found.forEach((folded, index) => {
      for (const unit of unitsThatFoldTo(folded)) {
        const page = unit >> 8;
        if (this.pages[page] === 0) this.pages[page] = used.push(new Uint16Array(PAGE)) * PAGE - PAGE;
        used[this.pages[page]! / PAGE]![unit & 0xff] = index + 1;
      }
    });
    this.classes = new Uint16Array(used.length * PAGE);
    used.forEach((unitClasses, index) => this.classes.set(unitClasses, index * PAGE));
  }

  get weight(): number {
    return this.pages.byteLength + this.classes.byteLength;
  }

  of(unit: number): number {
    return this.classes[this.pages[unit >> 8]! + (unit & 0xff)]!;
  }
}

let folding: Map<number, readonly number[]> | undefined;

/** Without case, and so for most units, this is the unit itself. */
function unitsThatFoldTo(folded: number): readonly number[] {
  folding ??= foldingUnits();
  return folding.get(folded) ?? [folded];
}

/** By folded unit, of those that are not only the fold of themselves. */
function foldingUnits(): Map<number, readonly number[]> {
  const { units } = foldTables();
  const found = new Map<number, number[]>();
  units.forEach((folded, unit) => {
    if (folded === unit) return;
    found.set(unit, found.get(unit) ?? []);
    const before = found.get(folded) ?? (units[folded] === folded ? [folded] : []);
    found.set(folded, [...before, unit]);
  });
  return found;
}
