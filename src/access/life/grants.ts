import { HttpStatus, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConnectionsService } from '../../connections/registry/connections.service';
import { type AccessDecision, requireReason } from '../../gate/ports/access-decider';
import { GrantStore, type GrantDecision } from '../../gate/ports/grant-store';
import type { ScramVerifier } from '../../gate/ports/issued-credentials';
import type { Target } from '../../gate/ports/target-directory';
import type { Change } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { type ActiveGrant, GrantReviews, type OpenGrant } from '../../approvals/reviews/filing/grant-reviews';
import { DEFAULT_SECONDS, TYPE, credentialHead } from '../credentials/credential.dto';
import type { ConnectionCredential } from '../credentials/credential.entity';
import { type CredentialKey, CredentialStore } from '../credentials/credential-store';
import { connectionNotFound } from './access-errors';
import { freshPassword } from '../credentials/password';

/** The state of a request for access that people have to approve. */
export interface RequestedGrant {
  readonly credential: ConnectionCredential;
  /** The password, shown once; undefined while the request waits. */
  readonly password: string | undefined;
}

/**
 * Grants: time-limited access that people approve. A request consists of a review and a credential with the
 * same id; the credential works only after the approval. The first use starts the grant and fixes its end.
 * Two actions count as the first use: a request for the password, and a sign-in with the owner's own token.
 */
@Injectable()
export class Grants extends GrantStore {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly connections: ConnectionsService,
    private readonly reviews: GrantReviews,
  ) {
    super();
  }

  /**
   * Requests access, unless the requester has an open request. A pending request does not change. An approved
   * request gets a new password, which replaces the previous one.
   * @param asked requested length and reason. `seconds` null: an hour, or the limit of the rules if it is
   * shorter. An existing request keeps its own reason.
   * @throws AppError `unprocessable` beyond the limit of the rules, or without a required reason; `conflict`
   * outside the approved hours.
   */
  async request(
    change: Change,
    target: Target,
    { rules, reasonFor }: Extract<AccessDecision, { kind: 'review' }>,
    { seconds, reason }: { seconds: number | null; reason: string | null },
  ): Promise<RequestedGrant> {
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
    return this.credentials.transaction(async (db) => {
      if (!(await this.connections.hold(db, actor.orgId, target.id))) throw connectionNotFound();
      const grant = await this.reviews.open(db, actor, target.id);
      if (grant?.isApproved === true) {
        return { credential: await this.renew(db, change, grant, fresh.verifier), password: fresh.password };
      }
      if (grant !== undefined) {
        change.concerns({ type: TYPE, id: grant.id }, 'create');
        return { credential: await this.read(db, keyOf(actor, grant)), password: undefined };
      }
      if (accessDuration > most)
        throw new AppError('unprocessable', `access_duration_seconds must be at most ${most} here`);
      requireReason(reasonFor, reason);
      const credential = await this.add(db, change, target, {
        ...(await this.reviews.fileRequest(db, prepared)),
        reason,
      });
      return { credential, password: undefined };
    });
  }

  async use(principal: Principal, target: Target, credentialId: string | null): Promise<GrantDecision> {
    // A started grant is read without a lock, so that parallel connections of a client do not wait.
    const begun = await this.reviews.begun(principal, target.id);
    if (begun !== undefined) return decisionOf(begun, credentialId);
    return this.credentials.transaction(async (db) => {
      if (!(await this.connections.hold(db, principal.orgId, target.id))) return { kind: 'none' };
      const grant = await this.reviews.open(db, principal, target.id);
      if (grant === undefined || !mayStandFor(credentialId, grant)) return { kind: 'none' };
      if (!grant.isApproved) return { kind: 'refused', message: waitsFor(target) };
      if (grant.hours.kind === 'closed') return { kind: 'refused', message: grant.hours.message };
      const endsAt = await this.begin(db, keyOf(principal, grant), grant);
      return decisionOf({ ...grant, endsAt }, credentialId);
    });
  }

  /** Stores the credential of a new request, which waits for its review. */
  private async add(
    db: EntityManager,
    change: Change,
    target: Target,
    review: { id: string; createdAt: Date; reason: string | null },
  ): Promise<ConnectionCredential> {
    const pending = { ...review, connectionId: target.id };
    const credential = await this.credentials.addPending(db, change.actor, pending);
    const after = credentialHead(credential, target);
    const status = HttpStatus.ACCEPTED;
    await change.record(db, { type: TYPE, id: review.id, action: 'create', before: null, after, status });
    return credential;
  }

  /** Sets a new password. Sessions that signed in with the previous password continue. */
  private async renew(
    db: EntityManager,
    change: Change,
    grant: OpenGrant,
    verifier: ScramVerifier,
  ): Promise<ConnectionCredential> {
    if (grant.hours.kind === 'closed') throw new AppError('conflict', grant.hours.message);
    const key = keyOf(change.actor, grant);
    const endsAt = await this.begin(db, key, grant);
    await this.credentials.setPassword(db, key, verifier);
    await change.record(db, {
      type: TYPE,
      id: grant.id,
      action: 'update',
      before: { expire_at: grant.endsAt },
      after: { expire_at: endsAt, password: 'another' },
    });
    return this.read(db, key);
  }

  /** @throws AppError `not_found` when the credential was deleted meanwhile, together with its connection. */
  private async read(db: EntityManager, key: CredentialKey): Promise<ConnectionCredential> {
    const credential = await this.credentials.read(db, key);
    if (credential === null) throw connectionNotFound();
    return credential;
  }

  /** Starts the grant, unless it has started. Returns its end. */
  private async begin(db: EntityManager, key: CredentialKey, grant: OpenGrant): Promise<Date> {
    const { begunAt, endsAt } = await grant.begin();
    if (grant.endsAt === null) await this.credentials.begin(db, key, { begunAt, endsAt });
    return endsAt;
  }
}

/** Whether a sign-in may use the grant: with its credential, or with a token (`credentialId` null). */
function mayStandFor(credentialId: string | null, { id }: Pick<ActiveGrant, 'id'>): boolean {
  return credentialId === null || credentialId === id;
}

function decisionOf(grant: ActiveGrant, credentialId: string | null): GrantDecision {
  const { id, hours, endsAt } = grant;
  if (!mayStandFor(credentialId, grant)) return { kind: 'none' };
  if (hours.kind === 'closed') return { kind: 'refused', message: hours.message };
  const until = hours.until !== null && hours.until < endsAt ? hours.until : endsAt;
  return { kind: 'held', credentialId: id, until, reason: grant.reason };
}

function waitsFor({ name }: Target): string {
  return `your request for the connection ${name} waits for its reviewers`;
}

function keyOf({ orgId }: Principal, { id }: Pick<OpenGrant, 'id'>): CredentialKey {
  return { orgId, id };
}
