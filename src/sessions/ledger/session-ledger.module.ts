import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { KeysModule } from '../../platform/keys/keys.module';
import { RecordingModule } from '../recording/recording.module';
import { ReviewsModule } from '../../approvals/reviews/reviews.module';
import { LedgerAnchors } from './ledger-anchors';
import { LedgerSchedule } from './ledger-schedule';
import { LedgerVerificationService } from './ledger-verification.service';
import { LedgerWriter } from './ledger-writer';
import { SessionLedger } from './session-ledger';

/** Keeps a numbered, linked and signed ledger of the states of sessions' rows. */
@Module({
  imports: [AuditModule, AuthModule, KeysModule, RecordingModule, ReviewsModule],
  providers: [LedgerAnchors, LedgerSchedule, LedgerVerificationService, LedgerWriter, SessionLedger],
  exports: [LedgerAnchors, LedgerVerificationService, LedgerWriter, SessionLedger],
})
export class SessionLedgerModule {}
