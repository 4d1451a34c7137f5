import type { TargetKind } from './kind';
import { mcpServer } from './mcp/mcp-server';
import { postgres } from './postgres/postgres';

/** The kinds of targets that this gateway knows. */
export const targetKinds: TargetKind[] = [postgres, mcpServer];

/** @returns undefined where a connection of a later version is stored. */
export function targetKind(subtype: string): TargetKind | undefined {
  return targetKinds.find((kind) => kind.subtype === subtype);
}
