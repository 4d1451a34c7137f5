import type { UnitClasses } from './unit-classes';

/** Words that are equal when folded, so that they end at the same node. */
interface Terminal {
  readonly node: number;
  readonly length: number;
  /** Indexes of these words in the list of words. */
  readonly words: readonly number[];
}

/**
 * The prefixes of all words, numbered breadth-first. Node 0 is the empty prefix. The children of a node have
 * consecutive numbers, ordered by the class of their unit, so a node needs no list of its children: it costs
 * six bytes.
 */
export class WordTrie {
  readonly size: number;
  readonly terminals: readonly Terminal[];
  /** The class of the unit that leads to a node. */
  private readonly label: Uint16Array;
  /** The children of node n are the nodes from `firstChild[n]` up to `firstChild[n + 1]`. */
  private readonly firstChild: Int32Array;

  /** @param words folded words, none of them empty */
  constructor(words: readonly string[], classes: UnitClasses) {
    const most = words.reduce((sum, word) => sum + word.length, 1);
    const label = new Uint16Array(most);
    const firstChild = new Int32Array(most + 1);
    const terminals: Terminal[] = [];
    const order = words.map((_, index) => index);
    order.sort((a, b) => (words[a]! < words[b]! ? -1 : words[a]! > words[b]! ? 1 : a - b));
    let size = 1;
    let node = 0;
    // Each node of a level stands for the words from `order[from]` to before `order[to]`, which share its
    // prefix.
    for (let level = [{ from: 0, to: order.length }], depth = 0; level.length > 0; depth++) {
      const nextLevel: typeof level = [];
      for (const { from, to } of level) {
        let at = from;
        while (at < to && words[order[at]!]!.length === depth) at++;
        if (at > from) terminals.push({ node, length: depth, words: order.slice(from, at) });
        firstChild[node++] = size;
        while (at < to) {
          const start = at;
          const unit = words[order[at]!]!.charCodeAt(depth);
          while (at < to && words[order[at]!]!.charCodeAt(depth) === unit) at++;
          label[size++] = classes.of(unit);
          nextLevel.push({ from: start, to: at });
        }
      }
      level = nextLevel;
    }
    firstChild[size] = size;
    this.size = size;
    this.terminals = terminals;
    this.label = label.slice(0, size);
    this.firstChild = firstChild.slice(0, size + 1);
  }

  get weight(): number {
    return this.label.byteLength + this.firstChild.byteLength;
  }

  firstChildOf(node: number): number {
    return this.firstChild[node]!;
  }

  labelOf(node: number): number {
    return this.label[node]!;
  }

  /** Returns the child of a node for a class, or -1. */
  child(node: number, unitClass: number): number {
    let low = this.firstChild[node]!;
    let high = this.firstChild[node + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const label = this.label[middle]!;
      if (label === unitClass) return middle;
      if (label < unitClass) low = middle + 1;
      else high = middle;
    }
    return -1;
  }
}
