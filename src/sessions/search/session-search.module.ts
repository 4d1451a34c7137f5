import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module';
import { AuditedSearches } from './audited-searches';
import { SettledCounts } from './settled-counts';

/**
 * Finds sessions. Everything but the running of a search, and what is
 * remembered of lists, is plain functions.
 */
@Module({
  imports: [DatabaseModule],
  providers: [AuditedSearches, SettledCounts],
  exports: [AuditedSearches, SettledCounts],
})
export class SessionSearchModule {}
