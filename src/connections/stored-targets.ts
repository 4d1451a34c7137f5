import { Injectable } from '@nestjs/common';
import { type Target, TargetDirectory, type Verb } from '../gate/ports/target-directory';
import type { Principal } from '../kernel/principal';
import type { Connection } from './connection.entity';
import { ConnectionsService } from './connections.service';
import { targetKind } from '../targets/kinds';

/** Targets are the connections that admins stored. */
@Injectable()
export class StoredTargets extends TargetDirectory {
  constructor(private readonly connections: ConnectionsService) {
    super();
  }

  async find(principal: Principal, nameOrId: string): Promise<Target | undefined> {
    const connection = await this.connections.findVisible(principal, nameOrId);
    return connection === null ? undefined : this.asTarget(connection);
  }

  async known(orgId: string, id: string): Promise<Target | undefined> {
    const connection = await this.connections.findByNameOrId(orgId, id);
    return connection === null ? undefined : this.asTarget(connection);
  }

  private asTarget(connection: Connection): Target {
    const kind = targetKind(connection.subtype);
    const enabledVerbs: Verb[] = [];
    if (connection.accessModeExec === 'enabled') enabledVerbs.push('exec');
    if (connection.accessModeConnect === 'enabled') enabledVerbs.push('connect');
    return {
      id: connection.id,
      orgId: connection.orgId,
      name: connection.name,
      type: connection.type,
      subtype: connection.subtype,
      language: kind?.language ?? 'text',
      clientProtocol: kind?.clientProtocol ?? null,
      resourceName: connection.resourceName,
      tags: connection.tags,
      attributes: connection.attributes,
      accessGroups: connection.accessGroups,
      enabledVerbs,
      recording: {
        scope: connection.recording,
        mode: connection.recordingMode,
        retentionDays: connection.retentionDays,
        results: connection.recordResults,
      },
      mcp: connection.mcpPolicy,
      openSecret: () => this.connections.openSecret(connection),
    };
  }
}
