import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { AuditLine } from './audit-log.entity';
import { type AuditLineView, auditView } from './audit.dto';

/** Lines of the audit log, for the export of events. */
@Injectable()
export class AuditLines {
  constructor(@InjectRepository(AuditLine) private readonly lines: Repository<AuditLine>) {}

  /**
   * Returns a map from these numbers to their lines. Leaves out numbers without a line. Stops before the
   * field changes of the lines exceed `maxBytes` in total, but returns at least one line.
   */
  async byNumber(
    orgId: string,
    numbers: readonly number[],
    maxBytes: number,
  ): Promise<Map<number, AuditLineView>> {
    if (numbers.length === 0) return new Map();
    const sizes = await this.lines.query<{ seq: string; bytes: string }[]>(
      `SELECT seq, sum(octet_length(changes::text)) OVER (ORDER BY seq) AS bytes FROM audit_log
       WHERE org_id = $1 AND seq = ANY ($2) ORDER BY seq`,
      [orgId, numbers],
    );
    const fitting = sizes.filter(({ bytes }, index) => index === 0 || Number(bytes) <= maxBytes);
    const seqs = fitting.map(({ seq }) => Number(seq));
    const lines = await this.lines.find({ where: { orgId, seq: In(seqs) } });
    return new Map(lines.map((line) => [line.seq, auditView(line)]));
  }
}
