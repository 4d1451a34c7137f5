import type { ColumnCalls } from './column-calls';
import type { FactCollector } from './fact-collector';
import type { TreeNode } from '../parsing/parse-tree';

/** Context that a node's handler may use. */
export interface WalkContext {
  readonly facts: FactCollector;
  readonly columnCalls: ColumnCalls;
  /**
   * Cursors and prepared statements (`sessionKey`) whose origin is known: made earlier in this text, or given
   * as known. undefined inside a function body, which runs later and elsewhere.
   */
  readonly known: Set<string> | undefined;
  /** Calls, and all values that another clause of the statement leaves to their first argument. */
  readonly fixedArguments: Map<TreeNode, readonly string[]>;
  /** Whether the statement may read other rows by the name of the catalog's view of settings. */
  renamesSettings: boolean;
  /** Adds the facts of a function body's SQL text to this statement. */
  readBody(text: string): void;
}

export type NodeEffect = (node: TreeNode, context: WalkContext) => void;
