import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { MetricsModule } from '../../platform/metrics/metrics.module';
import { ArchiveLocks } from './archive-locks';
import { ArchiveMetrics } from './archive-metrics';
import { ArchiveMove } from './archive-move';
import { ArchivePlace } from './archive-place';
import { ArchiveQueue } from './archive-queue';
import { ArchiveRemovals } from './archive-removals';
import { ArchiveRows } from './archive-rows';
import { ArchiveSchedule } from './archive-schedule';
import { ArchiveSwitch } from './archive-switch';
import { ArchiveWork } from './archive-work';
import { ArchivedChunks } from './archived-chunks';
import { NotedSessions } from './noted-sessions';

/**
 * Moves recordings to object storage, keeps the locks of their objects up to date, and reads and removes the
 * objects.
 */
@Module({
  imports: [AuditModule, DatabaseModule, MetricsModule],
  providers: [
    ArchiveLocks,
    ArchiveMetrics,
    ArchiveMove,
    ArchivePlace,
    ArchiveQueue,
    ArchiveRemovals,
    ArchiveRows,
    ArchiveSchedule,
    ArchiveSwitch,
    ArchiveWork,
    ArchivedChunks,
    NotedSessions,
  ],
  exports: [ArchivedChunks],
})
export class ArchiveModule {}
