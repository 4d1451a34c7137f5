import { foldTables } from './folding';

const PAGE = 256;
const PAGES = 256;

/**
 * Classes of code units: units that fold to the same unit share a class, and all units that are in no word
 * share class 0. This keeps the automaton's rows short. The table has 256 pages, and all unused pages are
 * stored once: about 3 kB for Latin words, 133 kB at most.
 */
export class UnitClasses {
  /**
   * Number of classes, including class 0 of units that are in no word. At class 0 the automaton returns to
   * its root.
   */
  readonly count: number;
  /** Offset of each page in `classes`, by the unit's upper eight bits. */
  readonly pages: Int32Array;
  readonly classes: Uint16Array;

  /** @param words folded words */
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
    // A class number always fits 16 bits: there are fewer than 65,536, because cased letters share classes.
    this.count = found.length + 1;
    this.pages = new Int32Array(PAGES);
    const used = [new Uint16Array(PAGE)];
    // Visits only the units of the words, so that a few words cost little.
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

/**
 * Returns all units that fold to this one. For most units, which have no case, that is only the unit itself.
 */
function unitsThatFoldTo(folded: number): readonly number[] {
  folding ??= foldingUnits();
  return folding.get(folded) ?? [folded];
}

/**
 * Maps each unit to the units that fold to it, itself included. The list is empty for a unit to which none
 * fold. A unit is absent if only it folds to itself.
 */
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
