import { reportLine } from '../report';

/** Figures that `npm run test:mcp` prints; scripts/test-mcp.mjs has the limit of each. */
export type FigureName =
  | 'headers'
  | 'evasions in arguments'
  | 'evasions in results'
  | 'results in pieces'
  | 'addresses'
  | 'cuts of clients'
  | 'cuts of servers'
  | 'token expiry'
  | 'stolen'
  | 'kills'
  | 'canaries'
  | 'idle sessions'
  | '10 MB results';

/** Adds figures to the report of `npm run test:mcp`, as `reportLine` does. */
export function figure(name: FigureName, counts: Readonly<Record<string, number>>): void {
  reportLine('MCP_REPORT', { figure: name, ...counts });
}
