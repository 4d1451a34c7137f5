import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, Repository } from 'typeorm';
import { AttributesService } from '../attributes/attributes.service';
import { UNIQUE_VIOLATION, brokenConstraint } from '../database/constraint';
import { DomainEvents } from '../database/domain-events';
import { GuardrailBindings } from '../guardrails/guardrail-bindings';
import type { Change } from '../http/change';
import type { Versioned } from '../http/versioned';
import { type ExpectedVersion, requireVersion } from '../http/versions';
import { warningsOf } from '../http/validation.pipe';
import { AppError } from '../kernel/app-error';
import { connectionDeleted } from './connection-deleted';
import { fieldsOf } from './connection-fields';
import {
  changedSecret,
  givenSecret,
  isSame,
  replacedSecret,
  requireComplete,
  secretContext,
} from './connection-secret';
import type {
  CheckedConnectionView,
  ConnectionBody,
  ConnectionPatchBody,
  ConnectionView,
} from './connection.dto';
import { ConnectionWarnings } from './connection-warnings';
import { Connection } from './connection.entity';
import { ConnectionsService, notFound, which } from './connections.service';
import { SecretBox } from './secret-box';
import { StoredReachability } from './stored-reachability';

const TYPE = 'connections';

/** What admins do with connections; each change and its line in the audit log are one transaction. */
@Injectable()
export class ConnectionChangesService {
  constructor(
    @InjectRepository(Connection) private readonly stored: Repository<Connection>,
    private readonly connections: ConnectionsService,
    private readonly bindings: GuardrailBindings,
    private readonly attributes: AttributesService,
    private readonly events: DomainEvents,
    private readonly box: SecretBox,
    private readonly warnings: ConnectionWarnings,
    private readonly reachability: StoredReachability,
  ) {}

  async create(change: Change, body: ConnectionBody): Promise<Versioned<CheckedConnectionView>> {
    const { orgId } = change.actor;
    if (isUUID(body.name))
      throw new AppError('unprocessable', 'name must not look like an id: paths take either');
    const secret = givenSecret(body.secret, {});
    requireComplete(body.type, body.subtype, secret);
    const connection = this.stored.create({
      id: randomUUID(),
      orgId,
      version: 1,
      managedBy: null,
    });
    this.apply(connection, body, secret);
    return this.write(body.name, async (db) => {
      await this.bindings.holdRules(db, orgId, body.guardrail_rules ?? []);
      await db.insert(Connection, connection);
      await this.bind(db, connection, body.guardrail_rules ?? []);
      const created = await this.connections.versioned(db, connection);
      await change.record(db, {
        type: TYPE,
        id: connection.id,
        action: 'create',
        before: null,
        after: audited(created.view),
      });
      return this.checked(db, connection, created, body);
    });
  }

  /** Replaces all but name and kind; rules name connections, so a connection keeps its name. */
  async replace(
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    body: ConnectionBody,
  ): Promise<Versioned<CheckedConnectionView>> {
    return this.change(change, nameOrId, expected, body, (connection) => {
      requireSame(connection, body);
      return {
        body,
        secret: replacedSecret(body.secret, this.openedSecret(connection), connection.secretNames),
        rules: body.guardrail_rules ?? [],
      };
    });
  }

  async patch(
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    patch: ConnectionPatchBody,
  ): Promise<Versioned<CheckedConnectionView>> {
    return this.change(change, nameOrId, expected, patch, (connection, before) => {
      requireSame(connection, patch);
      const given = Object.fromEntries(Object.entries(patch).filter(isGiven));
      const body = { ...before, ...given } as ConnectionBody;
      const secret =
        Object.keys(patch.secret ?? {}).length === 0
          ? undefined
          : changedSecret(patch.secret ?? {}, this.openedSecret(connection), connection.secretNames);
      return { body, secret, rules: patch.guardrail_rules ?? undefined };
    });
  }

  /**
   * Its bindings and credentials go with it, and all access to it is revoked (`connectionDeleted`). Access request rules that
   * name it say so when they are read.
   */
  async remove(change: Change, nameOrId: string, expected: ExpectedVersion): Promise<void> {
    await this.stored.manager.transaction(async (db) => {
      // Nobody is given a credential from here on: that takes a share of this lock.
      const connection = await this.lock(db, change.actor.orgId, nameOrId, 'pessimistic_write');
      requireVersion(connection.version, expected);
      const before = (await this.connections.versioned(db, connection)).view;
      const { actor } = change;
      const effects = await this.events.publish(db, connectionDeleted, { actor, id: connection.id });
      await db.delete(Connection, { orgId: connection.orgId, id: connection.id });
      for (const effect of effects.flat()) await change.record(db, effect);
      await change.record(db, {
        type: TYPE,
        id: connection.id,
        action: 'delete',
        before: audited(before),
        after: null,
      });
    });
  }

  private async change(
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    sent: ConnectionPatchBody,
    wanted: (
      connection: Connection,
      before: ConnectionView,
    ) => { body: ConnectionBody; secret: Record<string, string> | undefined; rules: string[] | undefined },
  ): Promise<Versioned<CheckedConnectionView>> {
    const changed = await this.stored.manager.transaction(async (db) => {
      const connection = await this.lock(db, change.actor.orgId, nameOrId);
      requireVersion(connection.version, expected);
      const before = (await this.connections.versioned(db, connection)).view;
      const { body, secret, rules } = wanted(connection, before);
      await this.bindings.holdRules(db, connection.orgId, rules ?? []);
      if (secret !== undefined) requireComplete(connection.type, connection.subtype, secret);
      const isSecretNew = secret !== undefined && !isSame(secret, this.openedSecret(connection));
      this.apply(connection, body, secret);
      connection.version += 1;
      await db.save(connection);
      if (isSecretNew) await this.reachability.forget(db, connection);
      // Untouched when nothing is said of them: a rule that is being bound right now must not be lost.
      if (rules !== undefined) await this.bindings.unbindConnection(db, connection.orgId, connection.id);
      await this.bind(db, connection, rules ?? []);
      const after = await this.connections.versioned(db, connection);
      const [was, is] = [audited(before), audited(after.view)];
      const seen = isSecretNew ? { ...is, secret: 'another' } : is;
      await change.record(db, {
        type: TYPE,
        id: connection.id,
        action: 'update',
        before: was,
        after: seen,
      });
      return this.checked(db, connection, after, sent);
    });
    this.bindings.changed();
    return changed;
  }

  private async checked(
    db: EntityManager,
    connection: Connection,
    { version, view }: Versioned<ConnectionView>,
    sent: ConnectionPatchBody,
  ): Promise<Versioned<CheckedConnectionView>> {
    const warnings = [...(await this.warnings.of(db, connection)), ...warningsOf(sent)];
    return { version, view: { ...view, warnings } };
  }

  /** @param secret undefined: what is stored stays as it is sealed. */
  private apply(
    connection: Connection,
    body: ConnectionBody,
    secret: Readonly<Record<string, string>> | undefined,
  ): void {
    Object.assign(connection, fieldsOf(body));
    if (secret === undefined) return;
    connection.secret = this.box.seal(secret, secretContext(connection));
    connection.secretNames = Object.keys(secret).sort();
  }

  /** undefined when it cannot be opened any more: a new secret is the way out of that. */
  private openedSecret(connection: Connection): Record<string, string> | undefined {
    try {
      return this.connections.openSecret(connection);
    } catch {
      return undefined;
    }
  }

  private async bind(db: EntityManager, connection: Connection, rules: readonly string[]): Promise<void> {
    await this.attributes.ensure(db, connection.orgId, connection.attributes);
    await this.bindings.bind(db, connection.orgId, connection.id, [...new Set(rules)]);
  }

  private async lock(
    db: EntityManager,
    orgId: string,
    nameOrId: string,
    mode: 'for_no_key_update' | 'pessimistic_write' = 'for_no_key_update',
  ): Promise<Connection> {
    const connection = await db.findOne(Connection, {
      where: which(orgId, nameOrId),
      lock: { mode },
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
      return await this.stored.manager.transaction(work);
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'connections_name_unique') throw error;
      throw new AppError('conflict', `a connection named ${name} exists already`);
    }
  }
}

/** Where null is a value of its own; for all other fields it says nothing. */
const NULLABLE: ReadonlySet<string> = new Set(['recording_mode', 'retention_days']);

function isGiven([field, value]: [string, unknown]): boolean {
  return value !== undefined && (value !== null || NULLABLE.has(field));
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

/** What is measured is no change of anybody's. */
function audited(view: ConnectionView): object {
  const { status: _, status_at: __, ...made } = view;
  return made;
}
