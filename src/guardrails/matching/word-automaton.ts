import { fold, foldTables } from './folding';
import { UnitClasses } from './unit-classes';
import { WordTrie } from './word-trie';

/** Called with each occurrence; false ends the search. */
type Visit = (word: number, start: number, end: number) => boolean;

/**
 * 1 MiB of rows: the states that common texts reach stay dense, and in the processor's second-level cache.
 */
const DENSE_CELLS = 262_144;
const SURROGATE = /[\ud800-\udfff]/;

/**
 * All words of all lists in one Aho–Corasick automaton over folded text: its time is linear in the text and
 * hardly depends on how many words there are. Nodes near the root have a row with the next node for every
 * class of units; the many nodes behind them have their children and a failure link only, so memory is about
 * 18 bytes for each unit of the words plus the rows.
 */
export class WordAutomaton {
  /** Approximate memory, in bytes. */
  readonly weight: number;
  /** The longest word in code units. */
  readonly longest: number;
  private readonly classes: UnitClasses;
  private readonly trie: WordTrie;
  /** Number of nodes, from the root on, that have a row. */
  private readonly dense: number;
  /** Row after row: where the next node's row begins, or ~node if that node reports a word or has no row. */
  private readonly rows: Int32Array;
  /** The longest proper suffix of a node's prefix that is a prefix, too. */
  private readonly failure: Int32Array;
  /** 1 + the terminal of the longest word that ends at a node, or 0. */
  private readonly report: Int32Array;
  /** The same for the next shorter word that ends where a terminal's words end. */
  private readonly nextReport: Int32Array;
  /** A word has letters beyond U+FFFF, whose case their second half alone does not show. */
  private readonly foldsTextFirst: boolean;

  /**
   * @param words not empty, and none of them is; the same word may come twice.
   * @param denseCells cells that rows may take; the root always has its row.
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
   * Calls `visit` for every occurrence of every word, overlapping ones too, that begins at or after `from`:
   * in the order of their ends, longer ones first. Stops when it returns false.
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

  /** Failure links, reports and rows in the order of the nodes: each needs only those of shorter prefixes. */
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

  /** A node goes where its failure link goes, save to its own children. */
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

  /** The next node, by failure links where there is no row: they lead back no further than the text came. */
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
