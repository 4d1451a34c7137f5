import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../../kernel/principal';
import { inTransaction } from '../../ledger/ledger-database';
import { LedgerVerificationService } from '../../ledger/ledger-verification.service';
import { LedgerWriter } from '../../ledger/ledger-writer';
import { approvalIn } from '../../ledger/sealed-approval';
import { SessionLedger } from '../../ledger/session-ledger';
import type { ReviewView } from '../../../approvals/reviews/requests/review.dto';
import { sessionHead } from '../../list/session-head';
import type { SessionRow } from '../../recording/session.entity';
import type { SessionEvidence } from './evidence-file';
import type { HeadLine } from './evidence-format';

interface Content {
  content: Record<string, string | null>;
  salt: Buffer | null;
}

/** Reads the content of an evidence file, except the recording. */
@Injectable()
export class SessionEvidences {
  constructor(
    private readonly database: DataSource,
    private readonly ledger: SessionLedger,
    private readonly writer: LedgerWriter,
    private readonly verification: LedgerVerificationService,
  ) {}

  /** Includes ledger entries only for auditors and admins, because entries mention legal holds and rules. */
  async of(actor: Principal, session: SessionRow, review: ReviewView | null): Promise<SessionEvidence> {
    if (session.status === 'done') await this.writer.catchUp(session);
    const details = actor.role !== 'regular';
    const { faults, entries } = await this.verification.session(session.orgId, session.id);
    const head = sessionHead(session, review, { script: true, details });
    if (!details) return { head, faults, ledger: null };
    const db = inTransaction(this.database.manager);
    const row = (await this.ledger.facts.read(db, session.orgId, [session.id])).get(session.id);
    const [said] = await db.query<Content>(
      `SELECT jsonb_build_object('script', script, 'guardrails_info', guardrails_info::text,
         'ai_analysis', ai_analysis::text) AS content, content_salt AS salt
       FROM sessions WHERE org_id = $1 AND id = $2`,
      [session.orgId, session.id],
    );
    const ledger: NonNullable<HeadLine['ledger']> = {
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
    return { head, faults, ledger };
  }
}
