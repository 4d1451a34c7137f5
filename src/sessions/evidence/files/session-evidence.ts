import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { LedgerVerificationService, type SessionFindings } from '../../ledger/ledger-verification.service';
import { LedgerWriter } from '../../ledger/ledger-writer';
import { approvalIn } from '../../ledger/sealed-approval';
import { sessionHead } from '../../list/session-head';
import { mustBeKept } from '../../recording/recording-removed';
import { type SessionKey, SessionRow } from '../../recording/session.entity';
import type { SessionEvidence } from './evidence-file';
import type { HeadLine } from './evidence-format';
import { mustExist } from '../../format/no-session';

interface Content {
  content: Record<string, string | null>;
  salt: Buffer | null;
}

/**
 * Maximum number of attempts to read a complete snapshot, because a journal that is stored late may add to
 * the recording before each of them.
 */
const ATTEMPTS = 10;

type Queued = Pick<SessionFindings, 'isQueued'>;

/** A session and the content of its evidence file, as of one moment. */
export interface EvidenceAtOnce {
  readonly session: SessionRow;
  readonly evidence: SessionEvidence;
}

/** Reads the content of an evidence file, except the recording. */
@Injectable()
export class SessionEvidences {
  constructor(
    private readonly writer: LedgerWriter,
    private readonly verification: LedgerVerificationService,
  ) {}

  /**
   * Reads the session anew, from the snapshot in which its ledger entries are read, because metadata and
   * holds may change at any time, and the session's row must match its entries. Includes ledger entries only
   * for auditors and admins, because entries mention legal holds and rules.
   * @throws AppError `not_found`: the recording was removed meanwhile; `unavailable`: the recording grows all
   * the time, so that no snapshot has a ledger entry about all of it.
   */
  async of(actor: Principal, found: SessionRow): Promise<EvidenceAtOnce> {
    let { status } = found;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (status === 'done') await this.writer.catchUp(found);
      const { isQueued, ...atOnce } = await this.atOnce(actor, found);
      ({ status } = atOnce.session);
      // Tries again if the session ended or grew meanwhile, because this needs a ledger entry too.
      if (status !== 'done' || !isQueued) return atOnce;
    }
    throw new AppError('unavailable', 'the recording grows at the moment, try again shortly', {
      retryAfterSeconds: 1,
    });
  }

  private atOnce(actor: Principal, { orgId, id }: SessionKey): Promise<EvidenceAtOnce & Queued> {
    const details = actor.role !== 'regular';
    return this.verification.sessionWith(orgId, id, async (findings, db) => {
      const session = mustExist(await db.findOneBy(SessionRow, { orgId, id }));
      mustBeKept(session);
      const head = sessionHead(session, findings.review, { script: true, details });
      const ledger = details ? await ledgerOf(session, findings, db) : null;
      const { isQueued } = findings;
      return { session, evidence: { head, faults: findings.faults, ledger }, isQueued };
    });
  }
}

async function ledgerOf(
  { orgId, id }: SessionRow,
  { row, review, entries }: SessionFindings,
  db: EntityManager,
): Promise<NonNullable<HeadLine['ledger']>> {
  const [said] = await db.query<Content[]>(
    `SELECT jsonb_build_object('script', script, 'guardrails_info', guardrails_info::text,
       'ai_analysis', ai_analysis::text) AS content, content_salt AS salt
     FROM sessions WHERE org_id = $1 AND id = $2`,
    [orgId, id],
  );
  return {
    row: { ...row?.whole },
    content: said?.content ?? {},
    salt: said?.salt?.toString('hex') ?? null,
    review: review === null ? null : approvalIn(review),
    entries: entries.map((entry) => ({
      org_id: entry.orgId,
      number: entry.seq,
      kind: entry.kind,
      said: entry.said,
      recorded_at: entry.recordedAt.toISOString(),
      previous: entry.previous.toString('hex'),
      hash: entry.hash.toString('hex'),
      key_id: entry.keyId,
      signature: entry.signature.toString('hex'),
    })),
  };
}
