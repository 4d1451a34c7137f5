import type { NodeEffect } from './walk-context';

/** Nodes that give names to rows. */
export const ROW_NAMES: Readonly<Record<string, NodeEffect>> = {
  RangeFunction: (node, { columnCalls }) => columnCalls.addFunctionRows(node),
  CreateFunctionStmt: (_, { columnCalls }) => columnCalls.open(),
};
