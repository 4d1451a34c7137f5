import type { NodeEffect } from './walk-context';

/** Handlers of nodes that define names of rows. */
export const ROW_NAMES: Readonly<Record<string, NodeEffect>> = {
  RangeFunction: (node, { columnCalls }) => columnCalls.addFunctionRows(node),
  CreateFunctionStmt: (_, { columnCalls }) => columnCalls.open(),
};
