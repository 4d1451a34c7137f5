import type { ColumnCalls } from './column-calls';
import type { FactCollector } from './fact-collector';
import type { TreeNode } from '../parsing/parse-tree';

/** Context that a node's handler may use. */
export interface WalkContext {
  readonly facts: FactCollector;
  readonly columnCalls: ColumnCalls;
  /**
   * Cursors and prepared statements (`sessionKey`) that an earlier statement of the text created, or that the
   * caller knows. undefined inside a function body, which runs later and elsewhere.
   */
  readonly known: Set<string> | undefined;
  /** For each call, all values that its first argument can have because another clause limits it. */
  readonly fixedArguments: Map<TreeNode, readonly string[]>;
  /** Whether `pg_settings` may mean rows of a WITH query instead of the catalog view. */
  renamesSettings: boolean;
  /** Parses the SQL text of a function body, and adds its facts to this statement. */
  readBody(text: string): void;
}

export type NodeEffect = (node: TreeNode, context: WalkContext) => void;
