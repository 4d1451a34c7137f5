import { createHash, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { ReviewDesk } from '../../../src/gate/ports/review-desk';
import type { Change } from '../../../src/platform/http/routes/change';
import type { Principal } from '../../../src/kernel/principal';
import { ReviewDecisions } from '../../../src/approvals/reviews/decisions/review-decisions';
import { ReviewExecutions } from '../../../src/approvals/reviews/decisions/review-executions';
import type { TestGateway } from '../gateway';
import type { ReviewSystem } from './commands';
import type { Reply, Seen } from './model';
import { INPUT, OTHER_INPUT, noOf } from './pure-review';
import { type Hours, type Name, type World, windowOf } from './world';

/** A separate organization for the reviews of a test, so that no other gateway ends them when overdue. */
export class ReviewRoom {
  readonly orgId = randomUUID();

  private readonly data: DataSource;

  constructor(readonly gateway: TestGateway) {
    this.data = gateway.app.get(DataSource, { strict: false });
  }

  async open(): Promise<this> {
    await this.data.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [this.orgId, this.orgId]);
    return this;
  }

  /** Creates a session that waits for a review, and requests the review by the rules of `world`. */
  async ask(world: World): Promise<StoredReview> {
    const [connectionId, sessionId] = [randomUUID(), randomUUID()];
    await this.data.query(
      `WITH connection AS (INSERT INTO connections (id, org_id, name, type, subtype, secret, secret_names)
         VALUES ($2::uuid, $1::uuid, $2::text, 'database', 'postgres', '', '{}'))
       INSERT INTO sessions (id, org_id, status, verb, type, connection_id, connection_name, connection_subtype,
         identity_type, user_subject, user_email, user_name, script)
       VALUES ($3::uuid, $1::uuid, 'open', 'exec', 'database', $2::uuid, $2::text, 'postgres', 'user', 'asker', '', '', 'SELECT 1')`,
      [this.orgId, connectionId, sessionId],
    );
    const answer = await this.gateway.app.get(ReviewDesk, { strict: false }).requestReview({
      requester: { ...world.people.asker, orgId: this.orgId },
      connection: { id: connectionId, name: connectionId, subtype: 'postgres' },
      rules: world.rules,
      reason: null,
      what: {
        type: 'onetime',
        sessionId,
        inputHash: createHash('sha256').update('SELECT 1').digest(),
        script: 'SELECT 1',
      },
    });
    if (answer.kind !== 'pending') throw new Error('nobody was asked');
    return new StoredReview(this, world, { reviewId: answer.reviewId, sessionId, connectionId });
  }
}

interface Ids {
  readonly reviewId: string;
  readonly sessionId: string;
  readonly connectionId: string;
}

/** A review in the real implementation: services, transactions, triggers and rows. */
export class StoredReview implements ReviewSystem {
  private executions = 0;
  private readonly decisions: ReviewDecisions;
  private readonly lives: ReviewExecutions;
  private readonly data: DataSource;

  constructor(
    private readonly room: ReviewRoom,
    private readonly world: World,
    private readonly ids: Ids,
  ) {
    const { app } = room.gateway;
    this.decisions = app.get(ReviewDecisions, { strict: false });
    this.lives = app.get(ReviewExecutions, { strict: false });
    this.data = app.get(DataSource, { strict: false });
  }

  approve(name: Name, forced: boolean, hours: Hours | null): Promise<Reply> {
    const timeWindow = hours === null ? null : windowOf(hours, this.world.hour);
    const said = { forced, forceReason: null, timeWindow, accessDuration: null };
    return this.reply(() => this.decisions.approve(this.by(name), this.ids.reviewId, said));
  }

  reject(name: Name): Promise<Reply> {
    return this.reply(() => this.decisions.reject(this.by(name), this.ids.sessionId, 'no'));
  }

  revoke(name: Name): Promise<Reply> {
    return this.reply(() => this.decisions.revoke(this.by(name), this.ids.reviewId));
  }

  take(isRightInput: boolean): Promise<Reply> {
    const hash = isRightInput ? INPUT : OTHER_INPUT;
    return this.reply(async () => {
      await this.data.transaction((db) => this.lives.claim(db, this.room.orgId, this.ids.sessionId, hash));
      this.executions += 1;
    });
  }

  executed(): Promise<Reply> {
    return this.reply(() => this.lives.executed(this.room.orgId, this.ids.reviewId));
  }

  sweep(): Promise<Reply> {
    return this.reply(() => this.lives.expire(this.room.orgId));
  }

  async pass(hours: number): Promise<void> {
    await this.data.query(
      'UPDATE reviews SET expires_at = expires_at - make_interval(hours => $2) WHERE id = $1',
      [this.ids.reviewId, hours],
    );
  }

  async dropConnection(): Promise<void> {
    await this.data.query('DELETE FROM connections WHERE id = $1', [this.ids.connectionId]);
  }

  async seen(): Promise<Seen> {
    const [row] = await this.data.query<Omit<Seen, 'executions'>[]>(
      `SELECT review.status, review.time_window AS window, session.status AS session,
         review.ended_at IS NOT NULL AS "isOver",
         (SELECT coalesce(jsonb_object_agg(user_id, verdict || ' ' ||
             array_to_string(ARRAY(SELECT unnest(groups) ORDER BY 1), '') || CASE WHEN forced THEN '!' ELSE '' END), '{}')
           FROM review_votes WHERE review_id = review.id) AS votes
       FROM reviews AS review JOIN sessions AS session ON session.id = review.session_id
       WHERE review.id = $1 AND (session.status <> 'done' OR (session.seal IS NOT NULL AND session.exit_code = 254))`,
      [this.ids.reviewId],
    );
    if (row === undefined) throw new Error('the review is gone, or its session ended without a seal');
    return { ...row, executions: this.executions };
  }

  private by(name: Name): Change {
    const actor: Principal = { ...this.world.people[name], orgId: this.room.orgId };
    return { actor, record: async () => undefined, concerns: () => undefined };
  }

  private async reply(work: () => Promise<unknown>): Promise<Reply> {
    try {
      await work();
      return 'ok';
    } catch (error) {
      return noOf(error);
    }
  }
}
