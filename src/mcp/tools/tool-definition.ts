import { createHash } from 'node:crypto';
import { isStorable } from '../../platform/http/dto/fields';
import { type Json, canonicalJson, emptyObject, isObject } from '../../kernel/json/json';
import type { ListedTool } from '../../gate/ports/tool-registry';
import { TimeSlice } from '../../kernel/async/time-slice';

/**
 * A server's description of a tool for people and models, and the form of its calls. A change of any of it is
 * a change of the tool.
 */
const FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** UTF-16 code units. The protocol advises servers to stay below 128. */
export const MAX_TOOL_NAME = 256;
/** Bytes of the canonical JSON of one tool. */
const MAX_TOOL_BYTES = 65_536;
/**
 * Names of one list. More than the registry keeps, so that a list of that many tools is compared as a whole.
 */
const MAX_LISTED = 2_000;

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
 * The tools of a list by name. Tools that cannot be kept are left out, so that they do not exist for clients:
 * those without a usable name, those that are too large, those that the list has twice with two definitions,
 * and those behind the first 2000.
 */
export async function definitionsOf(
  tools: readonly ListedTool[],
): Promise<ReadonlyMap<string, ToolDefinition>> {
  const found = new Map<string, ToolDefinition>();
  const ambiguous = new Set<string>();
  const slice = new TimeSlice();
  for (const tool of tools) {
    if (slice.isOver) await slice.next();
    const { name } = tool;
    if (!isToolName(name) || (found.size >= MAX_LISTED && !found.has(name))) continue;
    const definition = definitionOf(name, tool);
    // Also one that is too large: the state of the other must not be taken for its own.
    if (
      definition === undefined ||
      (found.get(name)?.fingerprint ?? definition.fingerprint) !== definition.fingerprint
    )
      ambiguous.add(name);
    else found.set(name, definition);
  }
  for (const name of ambiguous) found.delete(name);
  return found;
}

/** undefined: it is too large. */
function definitionOf(name: string, tool: ListedTool): ToolDefinition | undefined {
  const told = emptyObject();
  for (const field of FIELDS) {
    const value = tool[field];
    if (value !== undefined) told[field] = value;
  }
  if (!isWithin(told, MAX_TOOL_BYTES)) return undefined;
  const text = canonicalJson(told);
  if (Buffer.byteLength(text) > MAX_TOOL_BYTES) return undefined;
  return { name, text, fingerprint: createHash('sha256').update(text).digest('hex') };
}

/**
 * Whether the texts, names and values of a value may fit; stops where they do not. The canonical form is
 * never shorter than that.
 */
function isWithin(value: Json, bytes: number): boolean {
  const left: Json[] = [value];
  let size = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    size += typeof next === 'string' ? next.length : 1;
    if (Array.isArray(next)) left.push(...next.slice(0, bytes));
    else if (isObject(next)) {
      for (const name of Object.keys(next)) {
        size += name.length;
        left.push(next[name] ?? null);
      }
    }
    if (size > bytes || left.length > bytes) return false;
  }
  return true;
}
