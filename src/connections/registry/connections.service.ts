import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, In, Repository } from 'typeorm';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { newestFirst } from '../../platform/database/newest-first';
import { GuardrailBindings } from '../../guardrails/rules/guardrail-bindings';
import { pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Versioned } from '../../platform/http/routes/versioned';
import { EVERYBODY, isOpenTo } from './fields/access-groups';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { type ConnectionQuery, applyFilters } from './connection-query';
import { ConnectionStates } from './connection-states';
import { secretContext } from './connection-secret';
import { type ConnectionPage, type ConnectionView, connectionView } from './connection-view.dto';
import { Connection } from './connection.entity';
import { SecretBox } from '../../platform/keys/secret-box';

/** Finds and shows connections, also for other modules. */
@Injectable()
export class ConnectionsService {
  constructor(
    @InjectRepository(Connection) private readonly connections: Repository<Connection>,
    private readonly bindings: GuardrailBindings,
    private readonly organizations: OrganizationsService,
    private readonly box: SecretBox,
    private readonly states: ConnectionStates,
  ) {}

  /** Returns a page of the connections that the actor may open; auditors and admins see all. */
  async list(actor: Principal, query: ConnectionQuery): Promise<ConnectionPage> {
    const { orgId } = actor;
    const isLimited = await this.isLimited(actor);
    const [rows, total] = await newestFirst(this.connections, orgId, pageWindow(query), (builder) => {
      if (isLimited)
        builder.andWhere('listed.access_groups && :groups', { groups: [...actor.groups, EVERYBODY] });
      applyFilters(builder, query);
    });
    const ids = rows.map((row) => row.id);
    const [bound, states] = await Promise.all([
      this.bindings.ofConnections(this.connections.manager, orgId, ids),
      this.states.of(this.connections.manager, orgId, ids, actor),
    ]);
    return pageOf(
      query,
      rows.map((row) => connectionView(row, bound.get(row.id) ?? [], states.get(row.id))),
      total,
    );
  }

  async get(actor: Principal, nameOrId: string): Promise<Versioned<ConnectionView>> {
    const connection = await this.findVisible(actor, nameOrId);
    if (connection === null) throw unknownConnection();
    return this.versioned(this.connections.manager, connection, actor);
  }

  /**
   * Finds a connection that the actor may see. Returns null if there is none, or if access groups exclude the
   * actor. The queries are the same in both cases, so that the response time does not reveal the difference.
   */
  async findVisible(actor: Principal, nameOrId: string): Promise<Connection | null> {
    const [connection, isLimited] = await Promise.all([
      this.findByNameOrId(actor.orgId, nameOrId),
      this.isLimited(actor),
    ]);
    return connection !== null && isLimited && !isOpenTo(actor, connection.accessGroups) ? null : connection;
  }

  /** Whether the access groups of a connection let the actor see it. */
  async isOpenTo(actor: Principal, accessGroups: readonly string[]): Promise<boolean> {
    return !(await this.isLimited(actor)) || isOpenTo(actor, accessGroups);
  }

  async findByName(orgId: string, name: string): Promise<Connection | null> {
    return this.connections.findOneBy({ orgId, name });
  }

  async findByNameOrId(orgId: string, nameOrId: string): Promise<Connection | null> {
    return this.connections.findOneBy(which(orgId, nameOrId));
  }

  /** Returns all connections of the subtypes, ordered by name. */
  async ofSubtypes(orgId: string, subtypes: readonly string[]): Promise<Connection[]> {
    return this.connections.find({ where: { orgId, subtype: In([...subtypes]) }, order: { name: 'ASC' } });
  }

  /** Returns those of the names that belong to existing connections. */
  async existing(db: EntityManager, orgId: string, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const found = await db.find(Connection, {
      select: { id: true, name: true },
      where: { orgId, name: In([...names]) },
    });
    return found.map((connection) => connection.name);
  }

  /**
   * Prevents the deletion of the connection until the transaction ends. Must be called before anything that
   * belongs to it is locked (src/platform/database/README.md). Returns false if the connection is gone.
   */
  async hold(db: EntityManager, orgId: string, id: string): Promise<boolean> {
    const held = await db.query<object[]>(
      'SELECT FROM connections WHERE org_id = $1 AND id = $2 FOR KEY SHARE',
      [orgId, id],
    );
    return held.length > 0;
  }

  /**
   * Like `hold`, but also blocks transactions that change rows belonging to the connection. Returns false if
   * the connection is gone.
   */
  async lock(db: EntityManager, orgId: string, id: string): Promise<boolean> {
    const locked = await db.query<object[]>(
      'SELECT FROM connections WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [orgId, id],
    );
    return locked.length > 0;
  }

  /** Returns the groups with emergency access; undefined if the connection is gone. */
  async emergencyGroups(
    orgId: string,
    id: string,
    db: EntityManager = this.connections.manager,
  ): Promise<readonly string[] | undefined> {
    const found = await db.findOne(Connection, {
      select: { id: true, emergencyAccessGroups: true },
      where: { orgId, id },
    });
    return found?.emergencyAccessGroups;
  }

  async exists(db: EntityManager, orgId: string, id: string): Promise<boolean> {
    return db.existsBy(Connection, { orgId, id });
  }

  /** Returns the current names and kinds by id. Deleted connections are missing. */
  async named(
    orgId: string,
    ids: readonly string[],
    db: EntityManager = this.connections.manager,
  ): Promise<Map<string, Pick<Connection, 'name' | 'type' | 'subtype'>>> {
    const found = await db.find(Connection, {
      select: { id: true, name: true, type: true, subtype: true },
      where: { orgId, id: In([...new Set(ids)]) },
    });
    return new Map(found.map((connection) => [connection.id, connection]));
  }

  /** Returns the view and its version. Without `viewer`, `mcp_auth` describes only the shared token. */
  async versioned(
    db: EntityManager,
    connection: Connection,
    viewer?: Principal,
  ): Promise<Versioned<ConnectionView>> {
    const { id, orgId, version } = connection;
    const bound = await this.bindings.ofConnections(db, orgId, [id]);
    const states = await this.states.of(db, orgId, [id], viewer);
    return { version, view: connectionView(connection, bound.get(id) ?? [], states.get(id)) };
  }

  /** Returns the secret in plain text. @throws when none of the gateway's keys can decrypt it. */
  openSecret(connection: Connection): Record<string, string> {
    return this.box.open(connection.secret, secretContext(connection));
  }

  /** Returns the secret in plain text; undefined when none of the gateway's keys can decrypt it. */
  openedSecret(connection: Connection): Record<string, string> | undefined {
    try {
      return this.openSecret(connection);
    } catch {
      return undefined;
    }
  }

  /** @param secret in plain text. */
  sealSecret(connection: Connection, secret: Readonly<Record<string, string>>): void {
    connection.secret = this.box.seal(secret, secretContext(connection));
    connection.secretNames = Object.keys(secret).sort();
  }

  private async isLimited(actor: Principal): Promise<boolean> {
    return actor.role === 'regular' && (await this.organizations.features(actor.orgId)).access_control;
  }
}

/** Returns the condition that finds a connection by the name or id in a URL path. */
export function which(
  orgId: string,
  nameOrId: string,
): { orgId: string; id: string } | { orgId: string; name: string } {
  return isUUID(nameOrId) ? { orgId, id: nameOrId } : { orgId, name: nameOrId };
}

export function unknownConnection(): AppError {
  return new AppError('not_found', 'there is no such connection');
}
