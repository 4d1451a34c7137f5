import { appendFileSync } from 'node:fs';

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

/**
 * Adds a line to the report of `npm run test:mcp`; without `MCP_REPORT` it does nothing. Call it before the
 * expectations, so that the report also has the figures of a failed test.
 */
export function figure(name: FigureName, counts: Readonly<Record<string, number>>): void {
  const { MCP_REPORT } = process.env;
  if (MCP_REPORT !== undefined)
    appendFileSync(MCP_REPORT, `${JSON.stringify({ figure: name, ...counts })}\n`);
}

/** Does the work for each item, at most `atOnce` items in parallel. */
export async function forAll<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
