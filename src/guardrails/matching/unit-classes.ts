import { foldTables } from './folding';

/** The class of units that are in no word: the automaton returns to its root. */
const NO_CLASS = 0;
const PAGE = 256;
const PAGES = 256;

/**
 * Code units that no word tells apart, case aside, share a class, so the automaton's rows stay short.
 * A table of 256 pages of which the unused ones are one: about 1 kB for Latin words, 128 kB at most.
 */
export class UnitClasses {
  /** How many classes there are with `NO_CLASS`. */
  readonly count: number;
  /** Where the page of a unit begins in `classes`, by the unit's upper eight bits. */
  readonly pages: Int32Array;
  readonly classes: Uint16Array;

  /** @param words folded. */
  constructor(words: readonly string[]) {
    // Fewer than 65 536, as letters with case fold into others: a class always fits 16 bits.
    const classOfFolded = new Uint16Array(0x1_0000);
    for (const word of words) for (let at = 0; at < word.length; at++) classOfFolded[word.charCodeAt(at)] = 1;
    let count = 1;
    for (let unit = 0; unit < classOfFolded.length; unit++)
      if (classOfFolded[unit] === 1) classOfFolded[unit] = count++;
    this.count = count;
    this.pages = new Int32Array(PAGES);
    const { units } = foldTables();
    const used = [new Uint16Array(PAGE)];
    for (let page = 0; page < PAGES; page++) {
      const unitClasses = new Uint16Array(PAGE);
      let isUsed = false;
      for (let at = 0; at < PAGE; at++) {
        const unitClass = classOfFolded[units[page * PAGE + at]!]!;
        unitClasses[at] = unitClass;
        isUsed ||= unitClass !== NO_CLASS;
      }
      if (isUsed) this.pages[page] = used.push(unitClasses) * PAGE - PAGE;
    }
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
