import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, Repository } from 'typeorm';
import { WriteGroups } from '../database/pools/write-groups';
import type { Change } from '../http/routes/change';
import { Clock } from '../../kernel/async/clock';
import { NO_LINE, lineContent, lineHash } from './audit-chain';
import { AuditLine, type NewLine } from './audit-log.entity';
import type { AuditVerificationView } from './audit.dto';
import { redactedDiff } from './redacted-diff';

const VERIFIED_AT_ONCE = 1_000;
/** Maximum number of lines in one statement. */
const LINES_AT_ONCE = 256;

const APPEND_PARAMETERS = Array.from({ length: 15 }, (_, at) => `$${at + 1}`).join(', ');

@Injectable()
export class AuditService {
  /** Groups the lines of requests that changed nothing, because each group locks the chain only once. */
  private readonly groups = new WriteGroups<NewLine>({
    atMost: LINES_AT_ONCE,
    queueOf: ({ orgId }) => orgId,
    write: (lines) => this.appendAll(this.lines.manager, lines),
  });

  constructor(
    @InjectRepository(AuditLine) private readonly lines: Repository<AuditLine>,
    private readonly clock: Clock,
  ) {}

  /** Appends a line in the caller's transaction. Writers of one organization are serialized. */
  append(db: EntityManager, line: NewLine): Promise<void> {
    return this.appendAll(db, [line]);
  }

  /** Appends the line of a request that wrote no line itself. One statement appends several such lines. */
  appendAlone(line: NewLine): Promise<void> {
    return this.groups.add(line);
  }

  /** A change by the gateway itself, such as removing expired recordings or seeding the demo. */
  ownChange(orgId: string): Change {
    const actor = {
      orgId,
      userId: orgId,
      subject: 'gateway',
      email: '',
      name: 'gateway',
      groups: [],
      role: 'admin',
      identityType: 'machine',
    } as const;
    const line = {
      orgId,
      actorId: actor.subject,
      actorEmail: '',
      actorType: actor.identityType,
      outcome: 'success',
    } as const;
    return {
      actor,
      concerns: () => undefined,
      record: (db, { type, id, action, before, after }) =>
        this.append(db, {
          ...line,
          action,
          resourceType: type,
          resourceId: id,
          status: 200,
          clientAddress: '',
          requestId: '',
          changes: redactedDiff(before, after),
        }),
    };
  }

  /** The last lines about resources of a type, newest first. */
  async lastAbout(
    db: EntityManager,
    orgId: string,
    resourceType: string,
    atMost: number,
  ): Promise<Pick<AuditLine, 'resourceId' | 'createdAt' | 'changes'>[]> {
    return db.find(AuditLine, {
      select: { orgId: true, seq: true, resourceId: true, createdAt: true, changes: true },
      where: { orgId, resourceType },
      order: { seq: 'DESC' },
      take: atMost,
    });
  }

  /** Verifies the chain: recomputes the hash of every line. */
  async verify(orgId: string): Promise<AuditVerificationView> {
    let previous: Buffer = NO_LINE;
    let seq = 0;
    for (;;) {
      const lines = await this.lines.find({
        where: { orgId, seq: MoreThan(seq) },
        order: { seq: 'ASC' },
        take: VERIFIED_AT_ONCE,
      });
      for (const line of lines) {
        const isLinked =
          line.seq === seq + 1 && line.previous.equals(previous) && line.hash.equals(lineHash(line));
        if (!isLinked)
          return { valid: false, checked: seq, broken_at: seq + 1, head: previous.toString('hex') };
        previous = line.hash;
        seq = line.seq;
      }
      if (lines.length < VERIFIED_AT_ONCE) {
        return { valid: true, checked: seq, broken_at: null, head: previous.toString('hex') };
      }
    }
  }

  /** Appends lines of one organization in the given order. */
  private async appendAll(db: EntityManager, lines: readonly NewLine[]): Promise<void> {
    const orgId = lines[0]?.orgId;
    if (orgId === undefined) return;
    const createdAt = new Date(this.clock.now());
    const contents = lines.map((line) => lineContent({ ...line, createdAt }));
    const column = <T>(value: (line: NewLine) => T): T[] => lines.map(value);
    // Acquires the lock of the chain. The transaction holds the lock until it ends.
    await db.query(`SELECT append_audit_lines(${APPEND_PARAMETERS})`, [
      orgId,
      createdAt.toISOString(),
      column(({ actorId }) => actorId),
      column(({ actorEmail }) => actorEmail),
      column(({ actorType }) => actorType),
      column(({ action }) => action),
      column(({ resourceType }) => resourceType),
      column(({ resourceId }) => resourceId),
      column(({ outcome }) => outcome),
      column(({ status }) => status),
      column(({ clientAddress }) => clientAddress),
      column(({ requestId }) => requestId),
      column(({ changes }) => JSON.stringify(changes)),
      contents.map(({ before }) => before),
      contents.map(({ after }) => after),
    ]);
  }
}
