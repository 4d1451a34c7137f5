import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, In, Repository } from 'typeorm';
import { ConnectionsService, unknownConnection } from '../../connections/registry/connections.service';
import type { Change } from '../../platform/http/routes/change';
import { type PageQuery, pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Versioned } from '../../platform/http/routes/versioned';
import { type ExpectedVersion, requireVersion } from '../../platform/http/routes/versions';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { TimeSlice } from '../../kernel/async/time-slice';
import { RememberedTools } from './remembered-tools';
import { NameWarnings } from './tool-warnings';
import { cutView, toolView } from './tool-view';
import type { McpToolPage, McpToolView } from './tool.dto';
import { McpTool } from './tool.entity';

/**
 * Maximum number of tools that a request reads into memory at once. Each has up to two definitions of 64 KiB.
 */
const READ_AT_ONCE = 50;

/** Shows the tools of connections, and accepts them. */
@Injectable()
export class ToolsService {
  constructor(
    @InjectRepository(McpTool) private readonly tools: Repository<McpTool>,
    private readonly connections: ConnectionsService,
    private readonly remembered: RememberedTools,
  ) {}

  /** Lists the tools, the last change first. */
  async list(actor: Principal, nameOrId: string, query: PageQuery): Promise<McpToolPage> {
    const { orgId, id: connectionId } = await this.connectionOf(actor, nameOrId);
    const { offset, size } = pageWindow(query);
    const [rows, total] = await this.tools.findAndCount({
      select: { id: true },
      where: { orgId, connectionId },
      order: { changedAt: 'DESC', name: 'ASC' },
      skip: offset,
      take: size,
    });
    const warnings = await this.warningsOf(orgId, connectionId);
    const views: McpToolView[] = [];
    const slice = new TimeSlice();
    for (let at = 0; at < rows.length; at += READ_AT_ONCE) {
      const ids = rows.slice(at, at + READ_AT_ONCE).map(({ id }) => id);
      const found = await this.tools.find({
        where: { id: In(ids) },
        order: { changedAt: 'DESC', name: 'ASC' },
      });
      for (const tool of found) {
        if (slice.isOver) await slice.next();
        views.push(cutView({ ...(await toolView(tool)), warnings: warnings.of(tool.name) }));
      }
    }
    return pageOf(query, views, total);
  }

  /** @param name name or id of the tool. */
  async get(actor: Principal, nameOrId: string, name: string): Promise<Versioned<McpToolView>> {
    const { orgId, id: connectionId } = await this.connectionOf(actor, nameOrId);
    return this.versioned(await found(this.tools.manager, { orgId, connectionId }, name));
  }

  /**
   * Accepts the tool as it is listed now.
   * @throws AppError `precondition_failed` unless `expected` names exactly the current fingerprint.
   */
  async accept(
    change: Change,
    nameOrId: string,
    name: string,
    expected: ExpectedVersion,
  ): Promise<Versioned<McpToolView>> {
    const { actor } = change;
    const { orgId, id: connectionId } = await this.connectionOf(actor, nameOrId);
    const accepted = await this.tools.manager.transaction(async (db) => {
      if (!(await this.connections.lock(db, orgId, connectionId))) throw unknownConnection();
      const tool = await found(db, { orgId, connectionId }, name);
      if (expected === undefined)
        throw new AppError(
          'precondition_failed',
          'If-Match must have the ETag of the tool, so that exactly what you saw is accepted',
        );
      requireVersion(tool.fingerprint, expected);
      const before = audited(tool);
      Object.assign(tool, {
        accepted: tool.listed,
        acceptedFingerprint: tool.fingerprint,
        acceptedAt: new Date(),
        acceptedBy: actor.email || actor.subject,
      });
      await db.save(tool);
      await this.record(change, db, tool, before);
      return tool;
    });
    this.remembered.forget(connectionId);
    return this.versioned(accepted);
  }

  private record(change: Change, db: EntityManager, tool: McpTool, before: object): Promise<void> {
    return change.record(db, {
      type: 'mcp-tools',
      id: tool.id,
      action: 'update',
      before,
      after: audited(tool),
    });
  }

  private async versioned(tool: McpTool): Promise<Versioned<McpToolView>> {
    const warnings = await this.warningsOf(tool.orgId, tool.connectionId);
    return {
      version: tool.fingerprint,
      view: { ...(await toolView(tool)), warnings: warnings.of(tool.name) },
    };
  }

  private async warningsOf(orgId: string, connectionId: string): Promise<NameWarnings> {
    return new NameWarnings((await this.remembered.of({ orgId, id: connectionId })).keys());
  }

  private async connectionOf(actor: Principal, nameOrId: string): Promise<{ orgId: string; id: string }> {
    const connection = await this.connections.findVisible(actor, nameOrId);
    if (connection === null) throw unknownConnection();
    return connection;
  }
}

/**
 * Finds a tool by its name or id. The id is for names that no path can contain.
 * @throws AppError `not_found`
 */
async function found(
  db: EntityManager,
  within: { readonly orgId: string; readonly connectionId: string },
  name: string,
): Promise<McpTool> {
  const named = await db.findOneBy(McpTool, { ...within, name });
  const tool = named ?? (isUUID(name) ? await db.findOneBy(McpTool, { ...within, id: name }) : null);
  if (tool === null) throw unknownTool();
  return tool;
}

function audited({ connectionId, name, fingerprint, acceptedFingerprint }: McpTool): object {
  return { connection_id: connectionId, name, fingerprint, accepted_fingerprint: acceptedFingerprint };
}

function unknownTool(): AppError {
  return new AppError('not_found', 'the server of this connection never listed a tool of this name');
}
