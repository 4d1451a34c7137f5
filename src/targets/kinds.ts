import type { TargetKind } from './contract/kind';
import { mcpServer } from './mcp/mcp-server';
import { postgres } from './postgres/postgres';

/** The registered kinds of targets, and their types and subtypes for the API. */
export const targetKinds: TargetKind[] = [];
export const targetTypes: string[] = [];
export const targetSubtypes: string[] = [];

/** Registers a kind. Returns a function that removes it again, for tests. */
export function registerTargetKind(kind: TargetKind): () => void {
  targetKinds.push(kind);
  targetSubtypes.push(kind.subtype);
  if (!targetTypes.includes(kind.type)) targetTypes.push(kind.type);
  return () => {
    targetKinds.splice(targetKinds.indexOf(kind), 1);
    targetSubtypes.splice(targetSubtypes.indexOf(kind.subtype), 1);
  };
}

/** @returns undefined for a subtype that a later version stored. */
export function targetKind(subtype: string): TargetKind | undefined {
  return targetKinds.find((kind) => kind.subtype === subtype);
}

registerTargetKind(postgres);
registerTargetKind(mcpServer);
