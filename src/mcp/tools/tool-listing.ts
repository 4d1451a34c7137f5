import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager } from 'typeorm';
import { ConnectionsService } from '../../connections/registry/connections.service';
import type { ChangedTool } from '../../platform/events/event';
import { Outbox } from '../../platform/events/outbox';
import type { Target } from '../../gate/ports/target-directory';
import type { ToolDefinition } from './tool-definition';

/** Maximum number of stored tool names of one connection, including tools that the server no longer lists. */
export const MAX_TOOLS = 1_000;
/** Maximum number of tools that one webhook event names. */
const MAX_TOLD = 20;

interface Stored {
  readonly name: string;
  readonly fingerprint: string;
  readonly accepted: string | null;
  readonly told: string | null;
}

const STORED = `
  SELECT name, fingerprint, accepted_fingerprint AS accepted, told_fingerprint AS told
  FROM mcp_tools WHERE org_id = $1 AND connection_id = $2`;

/** Adds tools. $3: names, $4: definitions, $5: fingerprints, $6: whether the tools are accepted. */
const ADD = `
  INSERT INTO mcp_tools (org_id, connection_id, name, listed, fingerprint, told_fingerprint, accepted, accepted_fingerprint, accepted_at)
  SELECT $1, $2, name, listed, fingerprint, fingerprint,
    CASE WHEN $6 THEN listed END, CASE WHEN $6 THEN fingerprint END, CASE WHEN $6 THEN now() END
  FROM unnest($3::text[], $4::text[], $5::text[]) AS tool (name, listed, fingerprint)`;

/** Updates changed tools. $3: names, $4: definitions, $5: fingerprints. */
const CHANGE = `
  UPDATE mcp_tools AS tool SET listed = fresh.listed, fingerprint = fresh.fingerprint, changed_at = now(),
    told_fingerprint = CASE WHEN tool.accepted_fingerprint = fresh.fingerprint THEN told_fingerprint ELSE fresh.fingerprint END
  FROM unnest($3::text[], $4::text[], $5::text[]) AS fresh (name, listed, fingerprint)
  WHERE tool.org_id = $1 AND tool.connection_id = $2 AND tool.name = fresh.name`;

/** Stores the new and changed tools of a list, and the event for webhooks, in one transaction. */
@Injectable()
export class ToolListing {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly connections: ConnectionsService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Stores the tools of one list. The lists of one connection are stored one after another, also across
   * gateways. Stores nothing if the connection no longer exists.
   */
  async store(target: Target, definitions: Iterable<ToolDefinition>): Promise<void> {
    const { orgId, id } = target;
    await this.manager.transaction(async (db) => {
      if (!(await this.connections.lock(db, orgId, id))) return;
      const stored = await db.query<Stored[]>(STORED, [orgId, id]);
      const known = new Map(stored.map((tool) => [tool.name, tool]));
      const listed = [...definitions];
      const added = listed.filter(({ name }) => !known.has(name)).slice(0, MAX_TOOLS - known.size);
      const changed = listed.filter(({ name, fingerprint }) => {
        const tool = known.get(name);
        return tool !== undefined && tool.fingerprint !== fingerprint;
      });
      const isHeld = target.mcp?.newTools === 'hold';
      if (added.length > 0) await db.query(ADD, [orgId, id, ...columns(added), !isHeld]);
      if (changed.length > 0) await db.query(CHANGE, [orgId, id, ...columns(changed)]);
      // The first list of a connection causes no event, unless an admin has to accept its tools.
      const news = stored.length > 0 || isHeld ? added : [];
      await this.tell(db, target, [
        ...changed.flatMap((tool) => changeToTell(tool, known.get(tool.name))),
        ...news.map((tool) => told(tool, isHeld ? 'held' : 'accepted')),
      ]);
    });
  }

  private async tell(db: EntityManager, target: Target, tools: readonly ChangedTool[]): Promise<void> {
    if (tools.length === 0) return;
    const { orgId, id, name, subtype } = target;
    const connection = { id, name, subtype };
    const data = { connection, count: tools.length, tools: tools.slice(0, MAX_TOLD) };
    await this.outbox.add(db, { orgId, type: 'mcp.tool.changed', data });
  }
}

/** Returns the change to report; none if the definition is already accepted or was already reported. */
function changeToTell(tool: ToolDefinition, before: Stored | undefined): ChangedTool[] {
  if (before?.accepted === tool.fingerprint || before?.told === tool.fingerprint) return [];
  return [told(tool, before?.accepted === null ? 'held' : 'changed')];
}

function told({ name, fingerprint }: ToolDefinition, status: ChangedTool['status']): ChangedTool {
  return { name, status, fingerprint };
}

function columns(tools: readonly ToolDefinition[]): [string[], string[], string[]] {
  return [
    tools.map(({ name }) => name),
    tools.map(({ text }) => text),
    tools.map(({ fingerprint }) => fingerprint),
  ];
}
