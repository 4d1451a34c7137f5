import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { SessionLedgerModule } from '../ledger/session-ledger.module';
import { PurgeRunner } from './purge-runner';
import { RecordingMonths } from './recording-months';
import { RetentionRun } from './retention-run.entity';
import { RetentionRuns } from './retention-runs';
import { RetentionController } from './retention.controller';
import { RetentionService } from './retention.service';

/** Removes recordings whose retention has ended. */
@Module({
  imports: [AuditModule, AuthModule, SessionLedgerModule, TypeOrmModule.forFeature([RetentionRun])],
  controllers: [RetentionController],
  providers: [RecordingMonths, PurgeRunner, RetentionRuns, RetentionService],
})
export class RetentionModule {}
