import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, In, Repository } from 'typeorm';
import { AttributesService } from '../attributes/attributes.service';
import { OrganizationsService } from '../auth/organizations.service';
import { UNIQUE_VIOLATION, brokenConstraint } from '../database/constraint';
import { newestFirst } from '../database/newest-first';
import { GuardrailBindings } from '../guardrails/guardrail-bindings';
import type { Change } from '../http/change';
import { pageOf, windowOf } from '../http/page';
import type { Versioned } from '../http/versioned';
import { type ExpectedVersion, requireVersion } from '../http/versions';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { fieldsOf } from './connection-fields';
import { type ConnectionQuery, applyFilters } from './connection-query';
import { givenSecret, requireComplete, secretContext } from './connection-secret';
import {
  type ConnectionBody,
  type ConnectionPage,
  type ConnectionPatchBody,
  type ConnectionView,
  connectionView,
} from './connection.dto';
import { Connection } from './connection.entity';
import { SecretBox } from './secret-box';

const TYPE = 'connections';

@Injectable()
export class ConnectionsService {
  constructor(
    @InjectRepository(Connection) private readonly connections: Repository<Connection>,
    private readonly bindings: GuardrailBindings,
    private readonly attributes: AttributesService,
    private readonly organizations: OrganizationsService,
    private readonly box: SecretBox,
  ) {}

  /** Those that the actor may open; auditors and admins see all. */
  async list(actor: Principal, query: ConnectionQuery): Promise<ConnectionPage> {
    const { orgId } = actor;
    const isLimited = await this.isLimited(actor);
    const [rows, total] = await newestFirst(this.connections, orgId, windowOf(query), (builder) => {
      if (isLimited) builder.andWhere('listed.access_groups && :groups', { groups: actor.groups });
      applyFilters(builder, query);
    });
    const bound = await this.bindings.ofConnections(
      this.connections.manager,
      orgId,
      rows.map((row) => row.id),
    );
    return pageOf(
      query,
      rows.map((row) => connectionView(row, bound.get(row.id) ?? [])),
      total,
    );
  }

  async get(actor: Principal, nameOrId: string): Promise<Versioned<ConnectionView>> {
    const connection = await this.connections.findOneBy(which(actor.orgId, nameOrId));
    const isHidden = connection !== null && (await this.isLimited(actor)) && !isShared(actor, connection);
    if (connection === null || isHidden) throw notFound();
    return this.versioned(this.connections.manager, connection);
  }

  async create(change: Change, body: ConnectionBody): Promise<Versioned<ConnectionView>> {
    const { orgId } = change.actor;
    if (isUUID(body.name))
      throw new AppError('unprocessable', 'name must not look like an id: paths take either');
    const secret = givenSecret(body.secret, {});
    requireComplete(body.type, body.subtype, secret);
    const connection = this.connections.create({
      id: randomUUID(),
      orgId,
      version: 1,
      status: 'online',
      managedBy: null,
    });
    this.apply(connection, body, secret);
    return this.write(body.name, async (db) => {
      await db.insert(Connection, connection);
      await this.bind(db, connection, body.guardrail_rules ?? []);
      const created = await this.versioned(db, connection);
      await change.record(db, {
        type: TYPE,
        id: connection.id,
        action: 'create',
        before: null,
        after: created.view,
      });
      return created;
    });
  }

  /** Replaces all but name and kind; rules name connections, so a connection keeps its name. */
  async replace(
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    body: ConnectionBody,
  ): Promise<Versioned<ConnectionView>> {
    return this.change(change, nameOrId, expected, (connection) => {
      requireSame(connection, body);
      return {
        body,
        secret: givenSecret(body.secret, this.openSecret(connection)),
        rules: body.guardrail_rules ?? [],
      };
    });
  }

  async patch(
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    patch: ConnectionPatchBody,
  ): Promise<Versioned<ConnectionView>> {
    return this.change(change, nameOrId, expected, (connection, before) => {
      requireSame(connection, patch);
      const stored = this.openSecret(connection);
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => (value ?? null) !== null));
      const body = { ...before, ...given } as ConnectionBody;
      const secret = { ...stored, ...givenSecret(patch.secret ?? {}, stored) };
      return { body, secret, rules: patch.guardrail_rules ?? undefined };
    });
  }

  /** Its bindings go with it; access request rules that name it say so when they are read. */
  async remove(change: Change, nameOrId: string, expected: ExpectedVersion): Promise<void> {
    await this.connections.manager.transaction(async (db) => {
      const connection = await this.lock(db, change.actor.orgId, nameOrId);
      requireVersion(connection.version, expected);
      const before = (await this.versioned(db, connection)).view;
      await db.delete(Connection, { orgId: connection.orgId, id: connection.id });
      await change.record(db, { type: TYPE, id: connection.id, action: 'delete', before, after: null });
    });
  }

  async findByName(orgId: string, name: string): Promise<Connection | null> {
    return this.connections.findOneBy({ orgId, name });
  }

  async findByNameOrId(orgId: string, nameOrId: string): Promise<Connection | null> {
    return this.connections.findOneBy(which(orgId, nameOrId));
  }

  /** Which of these names are connections. */
  async existing(db: EntityManager, orgId: string, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const found = await db.find(Connection, {
      select: { id: true, name: true },
      where: { orgId, name: In([...names]) },
    });
    return found.map((connection) => connection.name);
  }

  openSecret(connection: Connection): Record<string, string> {
    return this.box.open(connection.secret, secretContext(connection));
  }

  private async change(
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    wanted: (
      connection: Connection,
      before: ConnectionView,
    ) => { body: ConnectionBody; secret: Record<string, string>; rules: string[] | undefined },
  ): Promise<Versioned<ConnectionView>> {
    return this.connections.manager.transaction(async (db) => {
      const connection = await this.lock(db, change.actor.orgId, nameOrId);
      requireVersion(connection.version, expected);
      const before = (await this.versioned(db, connection)).view;
      const { body, secret, rules } = wanted(connection, before);
      requireComplete(connection.type, connection.subtype, secret);
      const isSecretNew =
        JSON.stringify(sorted(secret)) !== JSON.stringify(sorted(this.openSecret(connection)));
      this.apply(connection, body, secret);
      connection.version += 1;
      await db.save(connection);
      // Untouched when nothing is said of them: a rule that is being bound right now must not be lost.
      if (rules !== undefined) await this.bindings.unbindConnection(db, connection.orgId, connection.id);
      await this.bind(db, connection, rules ?? []);
      const after = await this.versioned(db, connection);
      const seen = isSecretNew ? { ...after.view, secret: 'another' } : after.view;
      await change.record(db, { type: TYPE, id: connection.id, action: 'update', before, after: seen });
      return after;
    });
  }

  private apply(connection: Connection, body: ConnectionBody, secret: Record<string, string>): void {
    Object.assign(connection, fieldsOf(body), {
      secret: this.box.seal(secret, secretContext(connection)),
      secretNames: Object.keys(secret).sort(),
    });
  }

  private async bind(db: EntityManager, connection: Connection, rules: readonly string[]): Promise<void> {
    await this.attributes.ensure(db, connection.orgId, connection.attributes);
    await this.bindings.bind(db, connection.orgId, connection.id, [...new Set(rules)]);
  }

  private async lock(db: EntityManager, orgId: string, nameOrId: string): Promise<Connection> {
    const connection = await db.findOne(Connection, {
      where: which(orgId, nameOrId),
      lock: { mode: 'for_no_key_update' },
    });
    if (connection === null) throw notFound();
    if (connection.managedBy !== null) {
      throw new AppError(
        'malformed',
        `this connection is managed by ${connection.managedBy} and read-only here`,
      );
    }
    return connection;
  }

  private async write<T>(name: string, work: (db: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.connections.manager.transaction(work);
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'connections_name_unique') throw error;
      throw new AppError('conflict', `a connection named ${name} exists already`);
    }
  }

  private async versioned(db: EntityManager, connection: Connection): Promise<Versioned<ConnectionView>> {
    const bound = await this.bindings.ofConnections(db, connection.orgId, [connection.id]);
    return { version: connection.version, view: connectionView(connection, bound.get(connection.id) ?? []) };
  }

  private async isLimited(actor: Principal): Promise<boolean> {
    return actor.role === 'regular' && (await this.organizations.features(actor.orgId)).access_control;
  }
}

function which(
  orgId: string,
  nameOrId: string,
): { orgId: string; id: string } | { orgId: string; name: string } {
  return isUUID(nameOrId) ? { orgId, id: nameOrId } : { orgId, name: nameOrId };
}

function isShared(actor: Principal, connection: Connection): boolean {
  return actor.groups.some((group) => connection.accessGroups.includes(group));
}

function requireSame(connection: Connection, body: ConnectionPatchBody): void {
  for (const field of ['name', 'type', 'subtype'] as const) {
    const given = body[field];
    if (given !== undefined && given !== connection[field]) {
      throw new AppError(
        'unprocessable',
        `${field} cannot be changed: rules and sessions know the connection by it`,
      );
    }
  }
}

function sorted(secret: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(secret).sort(([a], [b]) => (a < b ? -1 : 1));
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no such connection');
}
