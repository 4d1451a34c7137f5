import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module';
import { AuditedSearches } from './audited-searches';
import { SettledCounts } from './settled-counts';

/**
 * Finds sessions. It provides the execution of searches and the cached counts; the rest is plain functions.
 */
@Module({
  imports: [DatabaseModule],
  providers: [AuditedSearches, SettledCounts],
  exports: [AuditedSearches, SettledCounts],
})
export class SessionSearchModule {}
