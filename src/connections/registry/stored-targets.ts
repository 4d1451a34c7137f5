import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { FeedCache } from '../../platform/database/feed/feed-cache';
import {
  type NamedDatabase,
  type Target,
  TargetDirectory,
  type TargetSignIn,
  type Verb,
} from '../../gate/ports/target-directory';
import { certificateKeyId } from './certificate-key-id';
import { isOpenTo } from './fields/access-groups';
import { once } from '../../kernel/async/once';
import type { Principal } from '../../kernel/principal';
import { TimeSlice } from '../../kernel/async/time-slice';
import type { Secret, TargetKind } from '../../targets/contract/kind';
import { SshUserCa } from '../../platform/keys/ssh-user-ca';
import { targetKind, targetKinds } from '../../targets/kinds';
import type { Connection } from './connection.entity';
import { ConnectionsService } from './connections.service';
import { DatabaseNames } from './fields/database-names';

/** Maximum number of connections in memory, with their sealed secrets: some kilobytes each. */
const MOST_KEPT = 2_000;
/** Maximum number of organizations whose database names are in memory. */
const MOST_NAMES_KEPT = 100;

/** Name of the secret field that makes each session act in a database role of its user. */
const ROLE = 'ROLE';

/** Cached result of a search for a connection by name or id. */
interface Found {
  readonly target?: Target;
}

/**
 * Returns the connections that admins stored, as targets. Each script and each client needs one, so they are
 * cached while the change feed is up.
 */
@Injectable()
export class StoredTargets extends TargetDirectory {
  private readonly found: FeedCache<Found>;
  private readonly names: FeedCache<DatabaseNames>;
  /** Reads in progress of database names, by organization, so that parallel clients share one read. */
  private readonly namesBeingRead = new Map<string, Promise<DatabaseNames>>();

  constructor(
    private readonly connections: ConnectionsService,
    feed: ChangeFeed,
    private readonly ca: SshUserCa,
  ) {
    super();
    this.found = new FeedCache(feed, 'targets', ['connections'], MOST_KEPT);
    this.names = new FeedCache(feed, 'targets', ['connections'], MOST_NAMES_KEPT);
  }

  async find(principal: Principal, nameOrId: string): Promise<Target | undefined> {
    const target = await this.known(principal.orgId, nameOrId);
    // Queried even without a target: the response time must not reveal whether the connection exists.
    const isOpen = await this.connections.isOpenTo(principal, target?.accessGroups ?? []);
    return isOpen ? target : undefined;
  }

  async known(orgId: string, nameOrId: string): Promise<Target | undefined> {
    const found = this.found.of(JSON.stringify([orgId, nameOrId]), async () => {
      const connection = await this.connections.findByNameOrId(orgId, nameOrId);
      return connection === null ? {} : { target: this.asTarget(connection) };
    });
    return (await found).target;
  }

  async byDatabase(principal: Principal, text: string): Promise<readonly NamedDatabase[]> {
    const { orgId } = principal;
    const names = await this.names.of(orgId, () => this.readOnce(orgId));
    // Query this in any case, so that the response time reveals nothing, as in `find`.
    const seesAll = await this.connections.isOpenTo(principal, []);
    return names.named(text).filter(({ accessGroups }) => seesAll || isOpenTo(principal, accessGroups));
  }

  private readOnce(orgId: string): Promise<DatabaseNames> {
    const reading =
      this.namesBeingRead.get(orgId) ??
      this.readNames(orgId).finally(() => this.namesBeingRead.delete(orgId));
    this.namesBeingRead.set(orgId, reading);
    return reading;
  }

  /** Reads the database names from the sealed secrets. Each is opened, and only its database name is kept. */
  private async readNames(orgId: string): Promise<DatabaseNames> {
    const named = targetKinds.filter(({ databaseName }) => databaseName !== undefined);
    const stored = await this.connections.ofSubtypes(
      orgId,
      named.map(({ subtype }) => subtype),
    );
    const names = new DatabaseNames();
    const slice = new TimeSlice();
    for (const connection of stored) {
      const { id, name, accessGroups, accessModeConnect } = connection;
      const database = this.databaseName(connection);
      if (database !== undefined)
        names.add({ id, name, database, accessGroups, admitsClients: accessModeConnect === 'enabled' });
      if (slice.isOver) await slice.next();
    }
    return names;
  }

  private databaseName(connection: Connection): string | undefined {
    const secret = this.connections.openedSecret(connection);
    return secret === undefined ? undefined : targetKind(connection.subtype)?.databaseName?.(secret);
  }

  private asTarget(connection: Connection): Target {
    const kind = targetKind(connection.subtype);
    const enabledVerbs: Verb[] = [];
    if (connection.accessModeExec === 'enabled') enabledVerbs.push('exec');
    if (connection.accessModeConnect === 'enabled') enabledVerbs.push('connect');
    const target: Target = {
      id: connection.id,
      orgId: connection.orgId,
      name: connection.name,
      type: connection.type,
      subtype: connection.subtype,
      language: kind?.language ?? 'text',
      clientProtocol: kind?.client?.protocol ?? null,
      resourceName: connection.resourceName,
      tags: connection.tags,
      attributes: connection.attributes,
      accessGroups: connection.accessGroups,
      enabledVerbs,
      showsSchema: connection.accessSchema === 'enabled',
      recording: {
        scope: connection.recording,
        mode: connection.recordingMode,
        retentionDays: connection.retentionDays,
        results: connection.recordResults,
      },
      mcp: connection.mcpPolicy,
      databaseName: once(() => this.databaseName(connection)),
      openSecret: () => this.connections.openSecret(connection),
    };
    if (kind?.withCertificate !== undefined) return withCertificates(target, kind.withCertificate, this.ca);
    const isPersonal = kind?.asPerson !== undefined && connection.secretNames.includes(ROLE);
    return isPersonal ? { ...target, asPerson: (who) => asPerson(target, kind, who) } : target;
  }
}

function withCertificates(
  target: Target,
  withCertificate: NonNullable<TargetKind['withCertificate']>,
  ca: SshUserCa,
): Target {
  const certifiedSecret = ({ person, session, hasTerminal }: TargetSignIn): Promise<Secret> => {
    const keyId = certificateKeyId(person, session, target.name);
    const use = { keyId, hasTerminal: hasTerminal === true };
    return withCertificate(target.openSecret(), use, () => ca.privateKey());
  };
  return { ...target, certifiedSecret };
}

function asPerson(target: Target, kind: TargetKind, who: Pick<Principal, 'subject' | 'groups'>): Target {
  let secret: Secret;
  try {
    secret = target.openSecret();
  } catch (error) {
    // When the session opens the secret, fail with this error, which is recorded. Otherwise the session would
    // use the connection's account without the role.
    const openSecret = (): never => {
      throw error;
    };
    return { ...target, openSecret };
  }
  const personal = kind.asPerson?.(secret, who);
  return personal === undefined
    ? target
    : { ...target, role: personal.role, openSecret: () => personal.secret };
}
