import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module';
import { EventsModule } from '../../platform/events/events.module';
import { MetricsModule } from '../../platform/metrics/metrics.module';
import { EventExports } from './event-exports';
import { EventSource } from './event-source';

/** Exports events and lines of the audit log to collectors. */
@Module({
  imports: [AuditModule, EventsModule, MetricsModule],
  providers: [EventExports, EventSource],
})
export class EventExportModule {}
