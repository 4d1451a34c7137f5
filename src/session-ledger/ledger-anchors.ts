import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service';
import { inTransaction } from './ledger-database';
import { type LedgerHead, SessionLedger } from './session-ledger';

/** What lines of the audit log are about that hold heads of the ledger. */
const TYPE = 'sessions/ledger';
const EVERY_MS = 10 * 60 * 1000;

interface AnchorLine {
  resource_id: string;
  created_at: Date;
  changes: readonly { readonly field: string; readonly after: unknown }[];
}

/**
 * Heads of the ledger on the audit log: two chains that hold each other. Whoever cuts the end off one of them has to
 * cut the other as well.
 */
@Injectable()
export class LedgerAnchors {
  private anchoredAt = Date.now();

  constructor(
    private readonly database: DataSource,
    private readonly ledger: SessionLedger,
    private readonly audit: AuditService,
  ) {}

  /** Every ten minutes, unless nothing was written, or another gateway did. */
  async anchorNowAndThen(orgId: string): Promise<void> {
    if (Date.now() - this.anchoredAt < EVERY_MS) return;
    await this.database.transaction(async (manager) => {
      if (!(await this.ledger.tryLock(inTransaction(manager), orgId))) return;
      const last = (await this.lines(manager, orgId, 1))[0];
      if (last === undefined || Date.now() - last.created_at.getTime() >= EVERY_MS)
        await this.anchor(manager, orgId);
    });
    this.anchoredAt = Date.now();
  }

  /** Writes the head of the ledger to the audit log, unless it is there. */
  async anchorNow(orgId: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await this.ledger.lock(inTransaction(manager), orgId);
      await this.anchor(manager, orgId);
    });
  }

  /** The caller holds the lock of the ledger. */
  private async anchor(manager: EntityManager, orgId: string): Promise<void> {
    const { seq, hash } = await this.ledger.head(inTransaction(manager), orgId);
    const [last] = await this.heads(manager, orgId, 1);
    if (seq === 0 || last?.seq === seq) return;
    await this.audit.ownChange(orgId).record(manager, {
      type: TYPE,
      id: String(seq),
      action: 'create',
      before: null,
      after: { number: seq, hash: hash.toString('hex') },
    });
  }

  /** The last heads that are on the audit log, the newest first. */
  async heads(manager: EntityManager, orgId: string, atMost: number): Promise<LedgerHead[]> {
    return (await this.lines(manager, orgId, atMost)).map(({ resource_id, changes }) => ({
      seq: Number(resource_id),
      hash: Buffer.from(String(changes.find(({ field }) => field === 'hash')?.after), 'hex'),
    }));
  }

  private lines(manager: EntityManager, orgId: string, atMost: number): Promise<AnchorLine[]> {
    return manager.query<AnchorLine[]>(
      `SELECT resource_id, created_at, changes FROM audit_log WHERE org_id = $1 AND resource_type = '${TYPE}'
       ORDER BY seq DESC LIMIT $2`,
      [orgId, atMost],
    );
  }
}
