import type { ColumnCalls } from './column-calls';
import type { FactCollector } from './fact-collector';
import type { TreeNode } from './parse-tree';

/** What the look at one node may use and do. */
export interface WalkContext {
  readonly facts: FactCollector;
  readonly columnCalls: ColumnCalls;
  /**
   * Cursors and prepared statements (`sessionKey`) whose origin is known: made earlier in this text, or said to be known.
   * undefined inside a function's body, which runs later, elsewhere.
   */
  readonly known: Set<string> | undefined;
  /** Reads the SQL text of a function's body as if it stood here. */
  readBody(text: string): void;
}

export type NodeEffect = (node: TreeNode, context: WalkContext) => void;
