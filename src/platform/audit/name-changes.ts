import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from './audit.service';

interface NameChangeRow {
  readonly id: string;
  readonly org_id: string;
  readonly resource: string;
  readonly resource_id: string;
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly note: string;
}

/**
 * Writes changes of stored names to the audit log. A migration that changes names stores the changes in
 * `name_changes`. The first gateway that starts after the migration writes them to the log.
 */
@Injectable()
export class NameChanges implements OnApplicationBootstrap {
  private readonly log = new Logger(NameChanges.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const told = await this.dataSource.transaction(async (db) => {
      // Skips rows that another gateway is handling, because several gateways may start at the same time.
      const rows = await db.query<NameChangeRow[]>(
        'SELECT * FROM name_changes WHERE told_at IS NULL ORDER BY id FOR UPDATE SKIP LOCKED',
      );
      for (const { org_id, resource, resource_id, field, before, after, note } of rows)
        await this.audit.ownChange(org_id).record(db, {
          type: resource,
          id: resource_id,
          action: 'update',
          before: { [field]: before },
          after: { [field]: after, ...(note === '' ? {} : { note }) },
        });
      if (rows.length > 0)
        await db.query('UPDATE name_changes SET told_at = now() WHERE id = ANY ($1)', [
          rows.map(({ id }) => id),
        ]);
      return rows.length;
    });
    if (told > 0)
      this.log.warn(
        `${told} stored names had invisible characters, another Unicode form or surrounding white space, and were changed. The audit log lists them.`,
      );
  }
}
