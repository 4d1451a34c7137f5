import { createHash } from 'node:crypto';
import { AppError } from '../../../src/kernel/app-error';
import { claimed, executed, expired } from '../../../src/approvals/reviews/machine/review-life';
import {
  type StoredVote,
  type ReviewState,
  type ReviewTransition,
  approve,
  reject,
  revoke,
} from '../../../src/approvals/reviews/machine/review-machine';
import { isFinal } from '../../../src/approvals/reviews/machine/review-state';
import { maySee } from '../../../src/approvals/reviews/machine/voters';
import type { ReviewSystem } from './commands';
import type { Reply, Seen } from './model';
import { type Hours, type Name, type World, windowOf } from './world';

const HOUR_MS = 3_600_000;
export const INPUT = createHash('sha256').update('SELECT 1').digest();
export const OTHER_INPUT = createHash('sha256').update('SELECT 2').digest();

/** The state machine without a database: a review and its votes in memory. */
export class PureReview implements ReviewSystem {
  private review: ReviewState;
  private votes: StoredVote[] = [];
  private isThere = true;
  private executions = 0;
  private session: Seen['session'] = 'open';
  private readonly now: Date;

  constructor(private readonly world: World) {
    this.now = new Date();
    this.now.setUTCHours(world.hour, 30);
    const { asker } = world.people;
    this.review = {
      status: 'PENDING',
      rules: world.rules,
      requesterType: 'user',
      requesterId: asker.userId,
      requesterSubject: asker.subject,
      personBehind: asker.subject,
      connectionName: 'orders',
      accessDuration: 0,
      inputHash: INPUT,
      callSessionId: null,
      call: null,
      scriptStart: null,
      timeWindow: null,
      rejectionReason: null,
      forceReason: null,
      emergency: false,
      afterReview: null,
      signOff: null,
      approvedAt: null,
      takenAt: null,
      endedAt: null,
      revokeAt: null,
      expiresAt: new Date(this.now.getTime() + 72 * HOUR_MS),
    };
  }

  approve(name: Name, forced: boolean, hours: Hours | null): Promise<Reply> {
    const timeWindow = hours === null ? null : windowOf(hours, this.world.hour);
    const said = { forced, forceReason: null, timeWindow, accessDuration: null };
    const others = { subjects: [], addresses: [] };
    const known = { others, connectionExists: this.isThere, usableMs: 24 * HOUR_MS };
    return this.say(name, (standing, actor) => approve(standing, actor, { ...said, ...known }));
  }

  reject(name: Name): Promise<Reply> {
    return this.say(name, (standing, actor) => reject(standing, actor, 'no'));
  }

  revoke(name: Name): Promise<Reply> {
    return this.say(name, (standing, actor) => revoke(standing, actor, null));
  }

  async take(isRightInput: boolean): Promise<Reply> {
    const reply = replyOf(() => this.apply(claimed(this.standing, isRightInput ? INPUT : OTHER_INPUT)));
    if (reply === 'ok') this.executions += 1;
    return reply;
  }

  async executed(): Promise<Reply> {
    return replyOf(() => this.apply(executed(this.standing) ?? { patch: {} }));
  }

  async sweep(): Promise<Reply> {
    return replyOf(() => this.apply(expired(this.standing) ?? { patch: {} }));
  }

  async pass(hours: number): Promise<void> {
    this.review = { ...this.review, expiresAt: new Date(this.review.expiresAt.getTime() - hours * HOUR_MS) };
  }

  async dropConnection(): Promise<void> {
    this.isThere = false;
  }

  async seen(): Promise<Seen> {
    return {
      status: this.review.status,
      votes: Object.fromEntries(
        this.votes.map(({ userId, verdict, groups, forced }) => [
          userId,
          `${verdict} ${groups.toSorted().join('')}${forced ? '!' : ''}`,
        ]),
      ),
      window: this.review.timeWindow,
      isOver: isFinal(this.review.status) && this.review.endedAt !== null,
      session: this.session,
      executions: this.executions,
    };
  }

  private get standing() {
    return { review: this.review, votes: this.votes, now: this.now };
  }

  private async say(
    name: Name,
    word: (standing: PureReview['standing'], actor: World['people'][Name]) => ReviewTransition,
  ): Promise<Reply> {
    const actor = this.world.people[name];
    if (!maySee(actor, this.review)) return 'not_found';
    return replyOf(() => this.apply(word(this.standing, actor)));
  }

  private apply({ patch, vote, ending }: ReviewTransition): void {
    if (patch.status === 'APPROVED') this.session = 'ready';
    if (ending !== undefined) this.session = 'done';
    this.review = { ...this.review, ...patch };
    if (vote !== undefined) this.votes = [...this.votes.filter(({ userId }) => userId !== vote.userId), vote];
  }
}

export function replyOf(work: () => void): Reply {
  try {
    work();
    return 'ok';
  } catch (error) {
    return noOf(error);
  }
}

/** Returns the code of an expected refusal. @throws any other error */
export function noOf(error: unknown): Reply {
  if (error instanceof AppError && error.code !== 'internal') return error.code as Reply;
  throw error;
}
