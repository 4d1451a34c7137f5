import { appendFileSync } from 'node:fs';

/**
 * Adds a line to the report of a long suite; without the variable it does nothing. Call it before the
 * expectations, so that the report also has the figures of a failed test.
 * @param variable names the file of the report
 */
export function reportLine(variable: 'MCP_REPORT' | 'SSH_REPORT', line: object): void {
  const file = process.env[variable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
