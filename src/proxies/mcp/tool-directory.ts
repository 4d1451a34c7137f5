import type { ToolRegistry, ToolState } from '../../gate/ports/tool-registry';
import { isAllowed } from '../../kernel/globs';
import { type Json, type JsonObject, isObject } from '../../kernel/json/json';
import {
  type HeaderParameter,
  InvalidHeaderParameter,
  headerParameters,
} from '../../targets/mcp/protocol/param-headers';
import type { McpUpstream } from '../../targets/mcp/upstream';
import type { VisitTarget } from './current-targets';

/** A tool that the server listed. */
export interface OfferedTool {
  readonly definition: JsonObject;
  readonly state: ToolState;
  /** The parameters that a modern server gets as headers too. */
  readonly headers: readonly HeaderParameter[];
}

/** After this time, a tool is looked up again before it is called: a server need not announce its changes. */
const FRESH_MS = 60_000;
/** A server that lists more pages never ends. */
const MAX_PAGES = 100;

/** What one visit knows of the tools of its server. */
export class ToolDirectory {
  private tools = new Map<string, OfferedTool>();
  private listedAt = -Infinity;
  private listing: Promise<void> | undefined;

  constructor(
    private readonly target: VisitTarget,
    private readonly upstream: McpUpstream,
    private readonly registry: ToolRegistry,
    /** Aborts with the visit. Clients that leave do not end a listing that others wait for. */
    private readonly ended: AbortSignal,
  ) {}

  /** Undefined: the server does not list it, or the policy does not allow it. @throws UpstreamFault */
  async find(name: string): Promise<OfferedTool | undefined> {
    if (!this.allows(name)) return undefined;
    if (performance.now() - this.listedAt > FRESH_MS || !this.tools.has(name)) await this.list();
    return this.tools.get(name);
  }

  /** The tools of a list that may be shown, in its order. */
  async shown(listed: readonly Json[]): Promise<JsonObject[]> {
    const known = await this.learn(listed);
    return listed.filter(
      (tool): tool is JsonObject =>
        isObject(tool) && known.get(nameOf(tool) ?? '')?.state.status === 'accepted',
    );
  }

  /** The server announced a change. */
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
    const all: Json[] = [];
    let params: JsonObject = {};
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await this.upstream.exchange(
        { method: 'tools/list', params },
        { signal: this.ended, notify: ignore },
      );
      if (answer.kind !== 'result' || !Array.isArray(answer.result['tools'])) break;
      all.push(...answer.result['tools']);
      const cursor = answer.result['nextCursor'];
      if (typeof cursor !== 'string') break;
      params = { cursor };
    }
    this.tools = await this.learn(all);
    this.listedAt = performance.now();
  }

  private async learn(listed: readonly Json[]): Promise<Map<string, OfferedTool>> {
    const named = listed.filter((tool): tool is JsonObject => isObject(tool) && nameOf(tool) !== undefined);
    const names = named.map(nameOf);
    // Of two tools with one name, nobody could say which one is called.
    const allowed = named.filter((tool) => {
      const name = nameOf(tool) ?? '';
      return this.allows(name) && names.indexOf(name) === names.lastIndexOf(name);
    });
    const states = await this.registry.listed(this.target.now, allowed);
    const known = new Map<string, OfferedTool>();
    for (const definition of allowed) {
      const name = nameOf(definition) ?? '';
      const state = states.get(name);
      const headers = headersOf(definition);
      if (state === undefined || headers === undefined) continue;
      known.set(name, { definition, state, headers });
      this.tools.set(name, { definition, state, headers });
    }
    return known;
  }
}

function nameOf(tool: JsonObject): string | undefined {
  return typeof tool['name'] === 'string' ? tool['name'] : undefined;
}

/** Undefined for a definition that clients must leave out (2026-07-28, streamable HTTP, "Schema Extension"). */
function headersOf(tool: JsonObject): readonly HeaderParameter[] | undefined {
  try {
    return headerParameters(tool['inputSchema']);
  } catch (error) {
    if (error instanceof InvalidHeaderParameter) return undefined;
    throw error;
  }
}

function ignore(): void {
  // The gateway asks for itself.
}
