import { Logger } from '@nestjs/common';
import type { ToolRegistry, ToolState } from '../../../gate/ports/tool-registry';
import { isAllowed } from './globs';
import { type Json, type JsonObject, canonicalJson, isObject } from '../../../kernel/json/json';
import {
  type HeaderParameter,
  InvalidHeaderParameter,
  headerParameters,
} from '../../../targets/mcp/protocol/param-headers';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import { type McpUpstream, type UpstreamAnswer, UpstreamFault } from '../../../targets/mcp/upstream';
import { TimeSlice } from '../../../kernel/async/time-slice';
import type { VisitTarget } from './current-targets';
import { ListWalk, walkEndMessage } from './list-walk';

/** A tool that the server listed. */
export interface OfferedTool {
  readonly definition: JsonObject;
  readonly state: ToolState;
  /** Parameters that a modern server also gets as headers. */
  readonly headers: readonly HeaderParameter[];
}

/**
 * Age in milliseconds after which the list is fetched again before a call, because a server need not announce
 * its changes.
 */
const FRESH_MS = 60_000;
/** Time in milliseconds for which the list is not fetched again for a tool that was not in it. */
const ABSENT_MS = 1_000;
/** Maximum number of pages. Protects against servers whose list never ends. */
const MAX_PAGES = 100;
/** Maximum number of tools on all pages together. The registry keeps fewer. */
const MAX_TOOLS = 10_000;

/** The tools of one MCP server, as known in one client's session. */
export class ToolDirectory {
  private readonly log = new Logger(ToolDirectory.name);
  private tools = new Map<string, OfferedTool>();
  private listedAt = -Infinity;
  private listing: Promise<void> | undefined;

  constructor(
    private readonly target: VisitTarget,
    private readonly upstream: McpUpstream,
    private readonly registry: ToolRegistry,
    /**
     * Aborts when the MCP session ends. A client that leaves cannot abort a listing, because other requests
     * may wait for the result.
     */
    private readonly ended: AbortSignal,
  ) {}

  /**
   * Returns a tool; undefined if the server does not list it or the policy does not allow it.
   * @throws UpstreamFault
   */
  async find(name: string): Promise<OfferedTool | undefined> {
    if (!this.allows(name)) return undefined;
    const age = performance.now() - this.listedAt;
    if (age > (this.tools.has(name) ? FRESH_MS : ABSENT_MS)) await this.list();
    return this.tools.get(name);
  }

  /** Returns the tools of a list that clients may see, in the same order. */
  async shown(listed: readonly Json[]): Promise<JsonObject[]> {
    const known = await this.learn(listed);
    return listed.filter(
      (tool): tool is JsonObject =>
        isObject(tool) && known.get(nameOf(tool) ?? '')?.state.status === 'accepted',
    );
  }

  /** Makes the next lookup fetch the list again, because the server announced a change. */
  forget(): void {
    this.listedAt = -Infinity;
  }

  private allows(name: string): boolean {
    const { mcp } = this.target.now;
    return mcp === null || isAllowed(mcp.tools, name);
  }

  private async list(): Promise<void> {
    this.listing ??= this.listAll().finally(() => (this.listing = undefined));
    await this.listing;
  }

  private async listAll(): Promise<void> {
    const slice = new TimeSlice();
    const walk = new ListWalk();
    const first = new Map<string, { readonly tool: Json; readonly page: number }>();
    const all: Json[] = [];
    let params: JsonObject = {};
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await this.upstream.exchange(
        { method: 'tools/list', params },
        { signal: this.ended, notify: ignore },
      );
      const { result, tools, nextCursor } = listedIn(answer);
      const end = await walk.read('tools/list', result);
      for (const tool of tools) {
        if (slice.isOver) await slice.next();
        const name = isObject(tool) ? nameOf(tool) : undefined;
        const earlier = name === undefined ? undefined : first.get(name);
        // Skips a tool that a repeated page lists again, because it is no second tool with the same name.
        if (
          earlier !== undefined &&
          earlier.page < page &&
          canonicalJson(earlier.tool) === canonicalJson(tool)
        )
          continue;
        if (name !== undefined && !first.has(name)) first.set(name, { tool, page });
        all.push(tool);
      }
      if (end !== undefined)
        this.log.warn({ connection: this.target.now.id }, walkEndMessage('tools/list', end));
      if (end !== undefined || nextCursor === undefined || all.length >= MAX_TOOLS) break;
      params = { cursor: nextCursor };
    }
    this.tools = await this.learn(all.slice(0, MAX_TOOLS));
    this.listedAt = performance.now();
  }

  private async learn(listed: readonly Json[]): Promise<Map<string, OfferedTool>> {
    const slice = new TimeSlice();
    const named = new Map<string, JsonObject[]>();
    for (const tool of listed) {
      if (slice.isOver) await slice.next();
      const name = isObject(tool) ? nameOf(tool) : undefined;
      if (name === undefined || !this.allows(name)) continue;
      named.set(name, [...(named.get(name) ?? []).slice(0, 1), tool as JsonObject]);
    }
    // Leaves out tools that share a name, because a call would be ambiguous.
    const single = [...named.values()].flatMap((tools) => (tools.length === 1 ? tools : []));
    const states = await this.registry.listed(this.target.now, single);
    const known = new Map<string, OfferedTool>();
    for (const definition of single) {
      if (slice.isOver) await slice.next();
      const name = nameOf(definition) ?? '';
      const state = states.get(name);
      const headers = state === undefined ? undefined : headersOf(definition);
      if (state === undefined || headers === undefined) continue;
      known.set(name, { definition, state, headers });
      this.tools.set(name, { definition, state, headers });
    }
    return known;
  }
}

/**
 * Returns the tools of one page; none if the server does not know the method.
 * @throws UpstreamFault if listing failed, because a failed list is not an empty list
 */
function listedIn(answer: UpstreamAnswer): {
  result: JsonObject;
  tools: readonly Json[];
  nextCursor: string | undefined;
} {
  if (answer.kind === 'error' && answer.error.code === RPC_ERRORS.methodNotFound)
    return { result: {}, tools: [], nextCursor: undefined };
  if (answer.kind === 'error')
    throw new UpstreamFault(
      'refused',
      `The server did not list its tools: it answered with the error ${answer.error.code}.`,
    );
  const tools = answer.kind === 'result' ? answer.result['tools'] : undefined;
  if (answer.kind !== 'result' || !Array.isArray(tools))
    throw new UpstreamFault(
      'malformed',
      'The server did not list its tools: its answer is no list of tools.',
    );
  const { nextCursor } = answer.result;
  return {
    result: answer.result,
    tools,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
  };
}

function nameOf(tool: JsonObject): string | undefined {
  return typeof tool['name'] === 'string' ? tool['name'] : undefined;
}

/**
 * Returns the parameters of a tool that are also sent as headers; undefined if clients must leave the tool
 * out (2026-07-28, streamable HTTP, "Schema Extension").
 */
function headersOf(tool: JsonObject): readonly HeaderParameter[] | undefined {
  try {
    return headerParameters(tool['inputSchema']);
  } catch (error) {
    if (error instanceof InvalidHeaderParameter) return undefined;
    throw error;
  }
}

function ignore(): void {
  // No client gets notifications about a list that the gateway fetches for itself.
}
