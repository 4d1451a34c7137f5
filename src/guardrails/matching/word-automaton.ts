import { fold, foldTables } from './folding';
import { UnitClasses } from './unit-classes';
import { WordTrie } from './word-trie';

/** Called with each occurrence; false ends the search. */
type Visit = (word: number, start: number, end: number) => boolean;

/**
 * Maximum number of cells in all rows (1 MiB). It is large enough for rows of the states that common texts
 * reach, and small enough for the processor's second-level cache.
 */
const DENSE_CELLS = 262_144;
const SURROGATE = /[\ud800-\udfff]/;

/**
 * All words of all lists in one Aho–Corasick automaton over folded text. Its time is linear in the text and
 * hardly depends on the number of words. Nodes near the root have a row with the next node for every class of
 * units. The many other nodes have only their children and a failure link, so memory is about 14 bytes for
 * each unit of the words plus the rows.
 */
export class WordAutomaton {
  /** Approximate memory, in bytes. */
  readonly weight: number;
  /** Length of the longest word, in code units. */
  readonly longest: number;
  private readonly classes: UnitClasses;
  private readonly trie: WordTrie;
  /** Number of nodes that have a row: the first nodes, beginning with the root. */
  private readonly dense: number;
  /**
   * All rows in one array. A cell is the offset of the next node's row, or `~node` if the next node reports a
   * word or has no row.
   */
  private readonly rows: Int32Array;
  /** For each node: the node of the longest proper suffix of its prefix that is a prefix too. */
  private readonly failure: Int32Array;
  /** For each node: 1 + the index of the terminal of the longest word that ends there, or 0. */
  private readonly report: Int32Array;
  /** For each terminal: 1 + the index of the terminal of the next shorter word that ends there, or 0. */
  private readonly nextReport: Int32Array;
  /**
   * Whether a word has letters beyond U+FFFF. Then the text is folded first, because the second half of such
   * a letter does not show its case.
   */
  private readonly foldsTextFirst: boolean;

  /**
   * @param words at least one word, none of them empty; a word may occur twice
   * @param denseCells maximum number of cells in rows; the root always has a row
   */
  constructor(words: readonly string[], denseCells = DENSE_CELLS) {
    if (words.includes('')) throw new Error('an empty word occurs everywhere');
    const folded = words.map(fold);
    this.longest = words.reduce((longest, word) => Math.max(longest, word.length), 0);
    this.foldsTextFirst = words.some((word) => SURROGATE.test(word));
    this.classes = new UnitClasses(folded);
    this.trie = new WordTrie(folded, this.classes);
    const { size, terminals } = this.trie;
    this.dense = Math.min(size, Math.max(1, Math.floor(denseCells / this.classes.count)));
    this.rows = new Int32Array(this.dense * this.classes.count);
    this.failure = new Int32Array(size);
    this.report = new Int32Array(size);
    terminals.forEach(({ node }, index) => (this.report[node] = index + 1));
    this.link();
    this.nextReport = Int32Array.from(terminals, ({ node }) => this.report[this.failure[node]!]!);
    this.weight =
      this.rows.byteLength +
      this.failure.byteLength +
      this.report.byteLength +
      this.trie.weight +
      this.classes.weight +
      64 * terminals.length +
      8 * words.length;
  }

  /**
   * Calls `visit` for every occurrence of a word that begins at or after `from`, including overlapping ones.
   * The order is that of the ends of occurrences, longer occurrences first. Stops when `visit` returns false.
   */
  scan(text: string, from: number, visit: Visit): void {
    const { rows, report, dense } = this;
    const { classes, pages, count } = this.classes;
    const read = this.foldsTextFirst && foldTables().astralCase.test(text) ? fold(text) : text;
    const length = read.length;
    let row = 0;
    for (let at = from; at < length; at++) {
      const unit = read.charCodeAt(at);
      const next = rows[row + classes[pages[unit >> 8]! + (unit & 0xff)]!]!;
      if (next >= 0) {
        row = next;
        continue;
      }
      let node = ~next;
      for (;;) {
        if (report[node] !== 0 && !this.reportWords(node, at + 1, visit)) return;
        if (node < dense || ++at === length) break;
        node = this.step(node, this.classes.of(read.charCodeAt(at)));
      }
      row = node * count;
    }
  }

  private reportWords(node: number, end: number, visit: Visit): boolean {
    for (let found = this.report[node]!; found !== 0; found = this.nextReport[found - 1]!) {
      const { words, length } = this.trie.terminals[found - 1]!;
      for (const word of words) if (!visit(word, end - length, end)) return false;
    }
    return true;
  }

  /**
   * Fills failure links, reports and rows in the order of nodes, because each needs only those of shorter
   * prefixes.
   */
  private link(): void {
    const { trie, failure, report } = this;
    for (let node = 0; node < trie.size; node++) {
      const end = trie.firstChildOf(node + 1);
      for (let child = trie.firstChildOf(node); child < end; child++) {
        failure[child] = node === 0 ? 0 : this.step(failure[node]!, trie.labelOf(child));
        if (report[child] === 0) report[child] = report[failure[child]!]!;
      }
      if (node < this.dense) this.fillRow(node);
    }
  }

  /** Fills the row of a node: a copy of the row of its failure link, except for the node's own children. */
  private fillRow(node: number): void {
    const { count } = this.classes;
    const from = this.failure[node]! * count;
    if (node > 0) this.rows.copyWithin(node * count, from, from + count);
    const end = this.trie.firstChildOf(node + 1);
    for (let child = this.trie.firstChildOf(node); child < end; child++) {
      const isPlain = child < this.dense && this.report[child] === 0;
      this.rows[node * count + this.trie.labelOf(child)] = isPlain ? child * count : ~child;
    }
  }

  /**
   * Returns the next node. Follows failure links from nodes without a row. A whole scan never follows more
   * links than it reads units.
   */
  private step(from: number, unitClass: number): number {
    let node = from;
    while (node >= this.dense) {
      const child = this.trie.child(node, unitClass);
      if (child >= 0) return child;
      node = this.failure[node]!;
    }
    const next = this.rows[node * this.classes.count + unitClass]!;
    return next < 0 ? ~next : next / this.classes.count;
  }
}
