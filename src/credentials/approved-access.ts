import { HttpStatus, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { ConnectionsService } from '../connections/connections.service';
import { type AccessDecision, requireReason } from '../gate/ports/access-decider';
import { GrantStore, type GrantDecision } from '../gate/ports/grant-store';
import type { Target } from '../gate/ports/target-directory';
import type { Change } from '../http/change';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { type BegunGrant, GrantReviews, type OpenGrant } from '../reviews/grant-reviews';
import { DEFAULT_SECONDS, TYPE, credentialHead } from './credential.dto';
import { ConnectionCredential } from './credential.entity';
import { noConnection } from './missing';
import { freshPassword } from './password';

/** What became of a request for access that people have to approve. */
export interface Asked {
  readonly credential: ConnectionCredential;
  /** Shown once; undefined while it waits. */
  readonly password: string | undefined;
}

/**
 * Access for a while that people approve. What is asked for is a review and, of the same id, a credential that is of no use
 * until the review is approved. It begins when it is first used, by asking for its password or by coming in with one's own
 * token, and ends for good at one moment, whatever is done with it meanwhile.
 */
@Injectable()
export class ApprovedAccess extends GrantStore {
  constructor(
    @InjectRepository(ConnectionCredential) private readonly credentials: Repository<ConnectionCredential>,
    private readonly connections: ConnectionsService,
    private readonly reviews: GrantReviews,
  ) {
    super();
  }

  /**
   * Asks for it, or goes on with what was asked before: while that waits nothing changes, and once it is approved there
   * is a password, in the place of the one before.
   * @param asked `seconds` null: an hour, or as long as the rules let. What waits or was approved keeps its own reason.
   * @throws AppError `unprocessable` beyond what the rules let; `conflict` outside its hours.
   */
  async ask(
    change: Change,
    target: Target,
    { rules, reasonFor }: Extract<AccessDecision, { kind: 'review' }>,
    { seconds, reason }: { seconds: number | null; reason: string | null },
  ): Promise<Asked> {
    const { actor } = change;
    const most = Math.min(...rules.map((rule) => rule.accessMaxDuration));
    const accessDuration = seconds ?? Math.min(DEFAULT_SECONDS, most);
    const what = { type: 'jit', accessDuration } as const;
    const prepared = await this.reviews.prepare({
      requester: actor,
      connection: target,
      rules,
      reason,
      what,
    });
    const fresh = await freshPassword();
    return this.credentials.manager.transaction(async (db) => {
      if (!(await this.connections.hold(db, actor.orgId, target.id))) throw noConnection();
      const grant = await this.reviews.open(db, actor, target.id);
      if (grant?.isApproved === true) {
        return { credential: await renew(db, change, grant, fresh.verifier), password: fresh.password };
      }
      if (grant !== undefined) {
        change.concerns({ type: TYPE, id: grant.id }, 'create');
        return { credential: await read(db, keyOf(actor, grant)), password: undefined };
      }
      if (accessDuration > most)
        throw new AppError('unprocessable', `access_duration_seconds must be at most ${most} here`);
      requireReason(reasonFor, reason);
      const credential = await add(db, change, target, { ...(await this.reviews.ask(db, prepared)), reason });
      return { credential, password: undefined };
    });
  }

  async use(principal: Principal, target: Target, credentialId: string | null): Promise<GrantDecision> {
    // A client that opens many connections at once waits for none of them.
    const begun = await this.reviews.begun(principal, target.id);
    if (begun !== undefined) return decisionOf(begun, credentialId);
    return this.credentials.manager.transaction(async (db) => {
      if (!(await this.connections.hold(db, principal.orgId, target.id))) return { kind: 'none' };
      const grant = await this.reviews.open(db, principal, target.id);
      if (grant === undefined || !mayStandFor(credentialId, grant)) return { kind: 'none' };
      if (!grant.isApproved) return { kind: 'refused', message: waitsFor(target) };
      if (grant.hours.kind === 'closed') return { kind: 'refused', message: grant.hours.message };
      const endsAt = await begin(db, keyOf(principal, grant), grant);
      return decisionOf({ ...grant, endsAt }, credentialId);
    });
  }
}

/** An issued credential stands for its own access only; a token for all that its owner was given. */
function mayStandFor(credentialId: string | null, { id }: Pick<BegunGrant, 'id'>): boolean {
  return credentialId === null || credentialId === id;
}

function decisionOf(grant: BegunGrant, credentialId: string | null): GrantDecision {
  const { id, hours, endsAt } = grant;
  if (!mayStandFor(credentialId, grant)) return { kind: 'none' };
  if (hours.kind === 'closed') return { kind: 'refused', message: hours.message };
  const until = hours.until !== null && hours.until < endsAt ? hours.until : endsAt;
  return { kind: 'held', credentialId: id, until, reason: grant.reason };
}

function waitsFor({ name }: Target): string {
  return `your request for the connection ${name} waits for its reviewers`;
}

type Key = Pick<ConnectionCredential, 'orgId' | 'id'>;

function keyOf({ orgId }: Principal, { id }: Pick<OpenGrant, 'id'>): Key {
  return { orgId, id };
}

/** A credential that waits for its review. */
async function add(
  db: EntityManager,
  change: Change,
  target: Target,
  review: { id: string; createdAt: Date; reason: string | null },
): Promise<ConnectionCredential> {
  const { orgId, identityType, userId, groups } = change.actor;
  const { id, createdAt, reason } = review;
  const credential = db.create(ConnectionCredential, {
    orgId,
    id,
    identityType,
    userId,
    ownerGroups: groups,
    createdAt,
    connectionId: target.id,
    reviewId: id,
    reason,
    expireAt: null,
    revokedAt: null,
    withheldAt: null,
  });
  await db.insert(ConnectionCredential, credential);
  const after = credentialHead(credential, target);
  const status = HttpStatus.ACCEPTED;
  await change.record(db, { type: TYPE, id, action: 'create', before: null, after, status });
  return credential;
}

/** Another password. What runs by the one before goes on. */
async function renew(
  db: EntityManager,
  change: Change,
  grant: OpenGrant,
  verifier: Pick<ConnectionCredential, 'iterations' | 'salt' | 'storedKey' | 'serverKey'>,
): Promise<ConnectionCredential> {
  if (grant.hours.kind === 'closed') throw new AppError('conflict', grant.hours.message);
  const key = keyOf(change.actor, grant);
  const endsAt = await begin(db, key, grant);
  await db.update(ConnectionCredential, key, verifier);
  await change.record(db, {
    type: TYPE,
    id: grant.id,
    action: 'update',
    before: { expire_at: grant.endsAt },
    after: { expire_at: endsAt, password: 'another' },
  });
  return read(db, key);
}

/** @throws AppError `not_found` when it is gone with its connection, which was deleted since it was found. */
async function read(db: EntityManager, key: Key): Promise<ConnectionCredential> {
  const credential = await db.findOneBy(ConnectionCredential, key);
  if (credential === null) throw noConnection();
  return credential;
}

/** Returns when it ends. */
async function begin(db: EntityManager, key: Key, grant: OpenGrant): Promise<Date> {
  const { begunAt, endsAt } = await grant.begin();
  if (grant.endsAt === null) await db.update(ConnectionCredential, key, { begunAt, expireAt: endsAt });
  return endsAt;
}
