import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, Repository } from 'typeorm';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import type { Change } from '../../platform/http/routes/change';
import type { Versioned } from '../../platform/http/routes/versioned';
import { type ExpectedVersion, requireVersion } from '../../platform/http/routes/versions';
import { warningsOf } from '../../platform/http/validation.pipe';
import type { McpPolicy } from '../../gate/ports/target-directory';
import { AppError } from '../../kernel/app-error';
import { type CompleteBody, filledFromCatalog } from './catalog-connection';
import { ConnectionBindings } from './connection-bindings';
import { fieldsOf } from './connection-fields';
import {
  UncheckedSecret,
  changedSecret,
  givenSecret,
  isSame,
  replacedSecret,
  requireComplete,
  withCheckedSecret,
} from './connection-secret';
import type { ConnectionBody, ConnectionPatchBody } from './connection.dto';
import type { CheckedConnectionView, ConnectionView } from './connection-view.dto';
import { ConnectionStates } from './connection-states';
import { ConnectionWarnings } from './connection-warnings';
import { Connection } from './connection.entity';
import { ConnectionsService } from './connections.service';
import { CONNECTIONS, audited, lockConnection } from './locked-connection';
import { hasMcpPolicy, policyAfter } from './fields/mcp-policy';
import { type PolicyKeys, takePolicyKeys } from './fields/mcp-policy-keys';

/** A connection after a change. */
interface WantedConnection {
  readonly body: CompleteBody;
  /** The new secret; undefined: the stored secret stays. */
  readonly secret: Record<string, string> | undefined;
  /** Ids of the guardrail rules to bind; undefined: the bound rules stay. */
  readonly rules: string[] | undefined;
  /** Policy for fields that the request omits; null: the default policy. */
  readonly policy: McpPolicy | null;
}

type WantedOf = (connection: Connection, before: ConnectionView) => WantedConnection;

/** Changes of connections by admins. Each change and its audit line are one transaction. */
@Injectable()
export class ConnectionChangesService {
  constructor(
    @InjectRepository(Connection) private readonly stored: Repository<Connection>,
    private readonly connections: ConnectionsService,
    private readonly bindings: ConnectionBindings,
    private readonly warnings: ConnectionWarnings,
    private readonly states: ConnectionStates,
  ) {}

  async create(change: Change, given: ConnectionBody): Promise<Versioned<CheckedConnectionView>> {
    const { orgId } = change.actor;
    const body = filledFromCatalog(given);
    if (isUUID(body.name))
      throw new AppError(
        'unprocessable',
        'name must not have the form of an id, because paths accept either',
      );
    const { secret, keys } = separated(body.subtype, givenSecret(body.secret, {}));
    await requireComplete(body.type, body.subtype, secret);
    const connection = this.stored.create({
      id: randomUUID(),
      orgId,
      version: 1,
      managedBy: null,
      catalog: body.catalog ?? null,
      mcpPolicy: policyAfter(body.subtype, null, body.mcp_policy, keys),
    });
    this.apply(connection, body, secret);
    return this.write(body.name, async (db) => {
      await this.bindings.holdRules(db, orgId, body.guardrail_rules ?? []);
      await db.insert(Connection, connection);
      await this.bindings.bind(db, connection, body.guardrail_rules ?? []);
      const created = await this.connections.versioned(db, connection);
      await change.record(db, {
        type: CONNECTIONS,
        id: connection.id,
        action: 'create',
        before: null,
        after: audited(created.view),
      });
      return this.checked(db, connection, created, given);
    });
  }

  /**
   * Replaces everything except name and kind. Rules refer to connections by name, so a name never changes.
   */
  async replace(
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    given: ConnectionBody,
  ): Promise<Versioned<CheckedConnectionView>> {
    return this.change(change, nameOrId, expected, given, (connection) => {
      const body = filledFromCatalog(given, connection.secretNames);
      requireSame(connection, body);
      return {
        body,
        secret: replacedSecret(
          body.secret,
          this.connections.openedSecret(connection),
          connection.secretNames,
        ),
        rules: body.guardrail_rules ?? [],
        policy: null,
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
      const body = { ...before, ...given } as CompleteBody;
      const secret =
        Object.keys(patch.secret ?? {}).length === 0
          ? undefined
          : changedSecret(
              patch.secret ?? {},
              this.connections.openedSecret(connection),
              connection.secretNames,
            );
      return { body, secret, rules: patch.guardrail_rules ?? undefined, policy: connection.mcpPolicy };
    });
  }

  private change(
    ...asked: [Change, string, ExpectedVersion, ConnectionPatchBody, WantedOf]
  ): Promise<Versioned<CheckedConnectionView>> {
    return withCheckedSecret((checked) => this.changeOnce(checked, ...asked));
  }

  /** @throws UncheckedSecret if the connection would get another secret than the checked one */
  private async changeOnce(
    checked: Record<string, string> | undefined,
    change: Change,
    nameOrId: string,
    expected: ExpectedVersion,
    sent: ConnectionPatchBody,
    wanted: WantedOf,
  ): Promise<Versioned<CheckedConnectionView>> {
    let revokeTokens = (): void => undefined;
    const changed = await this.stored.manager.transaction(async (db) => {
      const connection = await lockConnection(db, change.actor.orgId, nameOrId);
      requireVersion(connection.version, expected);
      const before = (await this.connections.versioned(db, connection)).view;
      const { body, rules, policy, ...all } = wanted(connection, before);
      const { secret, keys } = separated(connection.subtype, all.secret);
      const mcpPolicy = policyAfter(connection.subtype, policy, sent.mcp_policy, keys);
      if (secret !== undefined && !isSame(secret, checked)) throw new UncheckedSecret(connection, secret);
      await this.bindings.holdRules(db, connection.orgId, rules ?? []);
      const former = secret === undefined ? undefined : this.connections.openedSecret(connection);
      const isSecretNew = secret !== undefined && !isSame(secret, former);
      this.apply(connection, body, secret);
      connection.mcpPolicy = mcpPolicy;
      connection.version += 1;
      await db.save(connection);
      if (isSecretNew) revokeTokens = await this.states.forget(db, connection, former);
      // If the body lists no rules, unbind none, so that a rule that is bound in parallel is not lost.
      if (rules !== undefined) await this.bindings.unbind(db, connection);
      await this.bindings.bind(db, connection, rules ?? []);
      const after = await this.connections.versioned(db, connection);
      await recordUpdate(change, db, before, after.view, isSecretNew);
      return this.checked(db, connection, after, sent);
    });
    this.bindings.changed();
    revokeTokens();
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

  /** @param secret undefined: the stored secret stays sealed and unchanged. */
  private apply(
    connection: Connection,
    body: CompleteBody,
    secret: Readonly<Record<string, string>> | undefined,
  ): void {
    Object.assign(connection, fieldsOf(body));
    if (secret !== undefined) this.connections.sealSecret(connection, secret);
  }

  /** Runs the work in a transaction. If the name is already in use, it fails with AppError `conflict`. */
  private async write<T>(name: string, work: (db: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.stored.manager.transaction(work);
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'connections_name_unique') throw error;
      throw new AppError('conflict', `a connection named ${name} already exists`);
    }
  }
}

/**
 * Separates the keys of an MCP policy from the secret, if connections of this kind have a policy.
 * @param secret undefined: the stored secret stays.
 */
function separated<S extends Record<string, string> | undefined>(
  subtype: string,
  secret: S,
): { readonly secret: S | Record<string, string>; readonly keys: PolicyKeys } {
  return secret === undefined || !hasMcpPolicy(subtype) ? { secret, keys: NO_KEYS } : takePolicyKeys(secret);
}

async function recordUpdate(
  change: Change,
  db: EntityManager,
  before: ConnectionView,
  after: ConnectionView,
  isSecretNew: boolean,
): Promise<void> {
  const is = audited(after);
  await change.record(db, {
    type: CONNECTIONS,
    id: after.id,
    action: 'update',
    before: audited(before),
    after: isSecretNew ? { ...is, secret: 'another' } : is,
  });
}

const NO_KEYS: PolicyKeys = new Map();

/** Fields in which null is a value. In all other fields null means that the field is omitted. */
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
        `${field} cannot be changed, because rules and sessions refer to the connection by it`,
      );
    }
  }
  const { catalog } = body;
  if (catalog !== undefined && catalog !== null && catalog !== connection.catalog)
    throw new AppError(
      'unprocessable',
      'catalog cannot be changed, it says what the connection was made from',
    );
}
