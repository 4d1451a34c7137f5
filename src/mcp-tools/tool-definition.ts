import { createHash } from 'node:crypto';
import { isStorable } from '../http/fields';
import { canonicalJson, emptyObject } from '../kernel/json/json';
import type { ListedTool } from '../gate/ports/tool-registry';
import { TimeSlice } from '../kernel/time-slice';

/** What a tool says of itself to people and models, and what its calls look like. A change of any of it is a change of the tool. */
const FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** UTF-16 code units. The protocol advises servers to stay below 128. */
export const MAX_TOOL_NAME = 256;
/** Bytes of the canonical JSON of one tool. */
const MAX_TOOL_BYTES = 65_536;

/** A tool as the registry keeps it. */
export interface ToolDefinition {
  readonly name: string;
  /** Canonical JSON (RFC 8785) of the fields above. */
  readonly text: string;
  /** SHA-256 of `text`, in hex. */
  readonly fingerprint: string;
}

export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= MAX_TOOL_NAME && isStorable(name);
}

/**
 * The tools of a list by name. Tools that cannot be kept are left out, so that they do not exist for clients: those without a usable
 * name, those that are too large, and those that the list has twice with two definitions.
 */
export async function definitionsOf(
  tools: readonly ListedTool[],
): Promise<ReadonlyMap<string, ToolDefinition>> {
  const found = new Map<string, ToolDefinition>();
  const ambiguous = new Set<string>();
  const slice = new TimeSlice();
  for (const tool of tools) {
    if (slice.isOver) await slice.next();
    const definition = definitionOf(tool);
    if (definition === undefined) continue;
    const other = found.get(definition.name);
    if (other !== undefined && other.fingerprint !== definition.fingerprint) ambiguous.add(definition.name);
    found.set(definition.name, definition);
  }
  for (const name of ambiguous) found.delete(name);
  return found;
}

function definitionOf(tool: ListedTool): ToolDefinition | undefined {
  const { name } = tool;
  if (!isToolName(name)) return undefined;
  const told = emptyObject();
  for (const field of FIELDS) {
    const value = tool[field];
    if (value !== undefined) told[field] = value;
  }
  const text = canonicalJson(told);
  if (Buffer.byteLength(text) > MAX_TOOL_BYTES) return undefined;
  return { name, text, fingerprint: createHash('sha256').update(text).digest('hex') };
}
