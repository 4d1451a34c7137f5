import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service';
import { inTransaction } from './ledger-database';
import { type LedgerHead, SessionLedger } from './session-ledger';

/** The resource type of audit lines that have heads of the ledger. */
const TYPE = 'sessions/ledger';
const EVERY_MS = 10 * 60 * 1000;

/**
 * Notes heads of the ledger on the audit log, so that the two chains vouch for each other. To hide a cut end,
 * both have to be cut.
 */
@Injectable()
export class LedgerAnchors {
  private anchoredAt = Date.now();

  constructor(
    private readonly database: DataSource,
    private readonly ledger: SessionLedger,
    private readonly audit: AuditService,
  ) {}

  /** Notes the head every ten minutes, unless it is noted already, by any gateway. */
  async anchorPeriodically(orgId: string): Promise<void> {
    if (Date.now() - this.anchoredAt < EVERY_MS) return;
    await this.database.transaction(async (manager) => {
      if (!(await this.ledger.tryLock(inTransaction(manager), orgId))) return;
      const last = (await this.audit.lastAbout(manager, orgId, TYPE, 1))[0];
      if (last === undefined || Date.now() - last.createdAt.getTime() >= EVERY_MS)
        await this.anchor(manager, orgId);
    });
    this.anchoredAt = Date.now();
  }

  /** Notes the head now, unless it is noted already. */
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

  /** The last heads on the audit log, the newest first. */
  async heads(manager: EntityManager, orgId: string, atMost: number): Promise<LedgerHead[]> {
    return (await this.audit.lastAbout(manager, orgId, TYPE, atMost)).map(({ resourceId, changes }) => ({
      seq: Number(resourceId),
      hash: Buffer.from(String(changes.find(({ field }) => field === 'hash')?.after), 'hex'),
    }));
  }
}
