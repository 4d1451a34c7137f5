import { Module } from '@nestjs/common';
import { KeysModule } from '../../platform/keys/keys.module';
import { RecordingModule } from '../recording/recording.module';
import { SessionLedgerModule } from '../ledger/session-ledger.module';
import { SessionsModule } from '../list/sessions.module';
import { EvidenceFiles } from './files/evidence-files';
import { FileSeal } from './files/file-seal';
import { SessionEvidences } from './files/session-evidence';
import { SessionVerificationController } from './session-verification.controller';
import { SessionVerificationService } from './session-verification.service';

/** Verifies sessions, and writes files that anybody can verify without the gateway. */
@Module({
  imports: [KeysModule, RecordingModule, SessionLedgerModule, SessionsModule],
  controllers: [SessionVerificationController],
  providers: [EvidenceFiles, FileSeal, SessionEvidences, SessionVerificationService],
  exports: [EvidenceFiles],
})
export class SessionEvidenceModule {}
