import type { TargetKind } from './kind';
import { mcpServer } from './mcp/mcp-server';
import { postgres } from './postgres/postgres';

/** The kinds of targets that this gateway knows, and what the API calls them. */
export const targetKinds: TargetKind[] = [];
export const targetTypes: string[] = [];
export const targetSubtypes: string[] = [];

/** Registers a kind. Returns a function that takes it back, for tests. */
export function registerTargetKind(kind: TargetKind): () => void {
  targetKinds.push(kind);
  targetSubtypes.push(kind.subtype);
  if (!targetTypes.includes(kind.type)) targetTypes.push(kind.type);
  return () => {
    targetKinds.splice(targetKinds.indexOf(kind), 1);
    targetSubtypes.splice(targetSubtypes.indexOf(kind.subtype), 1);
  };
}

/** @returns undefined where a connection of a later version is stored. */
export function targetKind(subtype: string): TargetKind | undefined {
  return targetKinds.find((kind) => kind.subtype === subtype);
}

registerTargetKind(postgres);
registerTargetKind(mcpServer);
