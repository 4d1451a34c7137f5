import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service';
import { inTransaction } from './ledger-database';
import { type LedgerHead, SessionLedger } from './session-ledger';

/** Resource type of audit lines that record the last entry of the ledger. */
const TYPE = 'sessions/ledger';
const EVERY_MS = 10 * 60 * 1000;

/**
 * Records the last entry (head) of the ledger on the audit log, so that the two chains protect each other. An
 * attacker who cuts off the end of one chain must also cut off the end of the other.
 */
@Injectable()
export class LedgerAnchors {
  private anchoredAt = Date.now();

  constructor(
    private readonly database: DataSource,
    private readonly ledger: SessionLedger,
    private readonly audit: AuditService,
  ) {}

  /** Records the ledger's last entry (head) every ten minutes, unless a gateway has already recorded it. */
  async anchorPeriodically(orgId: string): Promise<void> {
    if (Date.now() - this.anchoredAt < EVERY_MS) return;
    const isDone = await this.database.transaction(async (manager) => {
      if (!(await this.ledger.tryLock(inTransaction(manager), orgId))) return false;
      const last = (await this.audit.lastAbout(manager, orgId, TYPE, 1))[0];
      if (last === undefined || Date.now() - last.createdAt.getTime() >= EVERY_MS)
        await this.anchor(manager, orgId);
      return true;
    });
    if (isDone) this.anchoredAt = Date.now();
  }

  /** Records the ledger's last entry (head) now, unless it was already recorded. */
  async anchorNow(orgId: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await this.ledger.lock(inTransaction(manager), orgId);
      await this.anchor(manager, orgId);
    });
  }

  /** Records the ledger's last entry (head) on the audit log. The caller holds the lock of the ledger. */
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

  /** Returns the ledger heads that the audit log recorded last, the newest first. */
  async heads(manager: EntityManager, orgId: string, atMost: number): Promise<LedgerHead[]> {
    return (await this.audit.lastAbout(manager, orgId, TYPE, atMost)).map(({ resourceId, changes }) => ({
      seq: Number(resourceId),
      hash: Buffer.from(String(changes.find(({ field }) => field === 'hash')?.after), 'hex'),
    }));
  }
}
