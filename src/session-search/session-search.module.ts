import { Module } from '@nestjs/common';
import { AuditedSearches } from './audited-searches';

/** Finds sessions. Everything but the running of a search is plain functions. */
@Module({ providers: [AuditedSearches], exports: [AuditedSearches] })
export class SessionSearchModule {}
