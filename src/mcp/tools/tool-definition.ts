import { createHash } from 'node:crypto';
import { isStorable } from '../../platform/http/dto/fields';
import { type Json, canonicalJson, emptyObject, isObject } from '../../kernel/json/json';
import type { ListedTool } from '../../gate/ports/tool-registry';
import { TimeSlice } from '../../kernel/async/time-slice';

/**
 * Fields with which a server describes a tool to people and models, and defines its calls. A change in any of
 * them is a change of the tool.
 */
const FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Maximum length in UTF-16 code units. The protocol advises servers to stay below 128. */
export const MAX_TOOL_NAME = 256;
/** Maximum size of one tool as canonical JSON. */
const MAX_TOOL_BYTES = 65_536;
/**
 * Maximum number of names in one list. It is higher than the limit of the registry (`MAX_TOOLS`), so that a
 * list with `MAX_TOOLS` names is compared as a whole.
 */
const MAX_LISTED = 2_000;

/** A tool in the form in which the registry stores it. */
export interface ToolDefinition {
  readonly name: string;
  /** Canonical JSON (RFC 8785) of the fields of the tool that `FIELDS` names. */
  readonly text: string;
  /** SHA-256 of `text`, in hex. */
  readonly fingerprint: string;
}

export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= MAX_TOOL_NAME && isStorable(name);
}

/**
 * Returns the tools of a list by name. Leaves out tools that cannot be stored, so that they do not exist for
 * clients: tools without a usable name, tools that are too large, names with two different definitions, and
 * tools after the first 2000.
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
    // If one of several definitions with the same name is too large, the tool is left out. Otherwise it would
    // get the state of the smaller definition.
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

/** Returns undefined if the tool is too large. */
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
 * Whether the canonical JSON of a value may fit into `bytes`. Adds up the lengths of all texts, names and
 * other values, and stops at the limit. The canonical JSON is never shorter than this sum.
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
