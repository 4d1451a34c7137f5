import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { DatabaseModule } from '../database/database.module';
import { KeysModule } from '../keys/keys.module';
import { PendingExecutions } from '../gate/ports/pending-executions';
import { SessionRecorder } from '../gate/ports/session-recorder';
import { ReviewedSessions } from '../reviews/reviewed-work';
import { ReviewsModule } from '../reviews/reviews.module';
import { RetentionController } from '../retention/retention.controller';
import { RetentionRun } from '../retention/retention-run.entity';
import { RetentionRuns } from '../retention/retention-runs';
import { RetentionService } from '../retention/retention.service';
import { ApprovedSessions } from './approved-sessions';
import { AuditedSearches } from '../session-search/audited-searches';
import { ConnectSessions } from './connect-sessions';
import { DownloadLink } from '../session-reading/downloads/download-link.entity';
import { DownloadLinksController } from '../session-reading/downloads/download-links.controller';
import { DownloadLinksService } from '../session-reading/downloads/download-links.service';
import { FileSeal } from '../session-evidence/files/file-seal';
import { SessionEvidences } from '../session-evidence/files/session-evidence';
import { LedgerAnchors } from '../session-ledger/ledger-anchors';
import { LedgerVerificationService } from '../session-ledger/ledger-verification.service';
import { LedgerWriter } from '../session-ledger/ledger-writer';
import { SessionLedger } from '../session-ledger/session-ledger';
import { LiveStreams } from '../session-reading/live/live-streams';
import { SessionStreamController } from '../session-reading/live/session-stream.controller';
import { LostAccess } from './lost-access';
import { RecordedTexts } from '../session-reading/recorded-texts';
import { RecordingSeal } from '../recording-format/chain';
import { RecordingMonths } from '../recording/recording-months';
import { RecordingReader } from '../recording/recording-reader';
import { JournalReplay } from '../recording/journal-replay';
import { RecordingStore } from '../recording/recording-store';
import { Shipper } from '../recording/shipper';
import { PeopleWatch } from './people-watch';
import { SessionControlController } from './session-control.controller';
import { SessionControlService } from './session-control.service';
import { SessionEnder } from './session-ender';
import { SessionHoldController } from './session-hold.controller';
import { SessionHoldService } from './session-hold.service';
import { SessionKeeper } from './session-keeper';
import { SessionList } from './session-list';
import { Session, SessionChunk } from '../recording/session.entity';
import { SessionVerificationController } from '../session-evidence/session-verification.controller';
import { SessionVerificationService } from '../session-evidence/session-verification.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { SessionsUnderReview } from './sessions-under-review';
import { JournalingSessionRecorder } from '../recording/journaling-session-recorder';

@Module({
  imports: [
    AuditModule,
    AuthModule,
    DatabaseModule,
    KeysModule,
    ReviewsModule,
    TypeOrmModule.forFeature([DownloadLink, RetentionRun, Session, SessionChunk]),
  ],
  controllers: [
    // `/sessions/verify` is no session's id.
    SessionVerificationController,
    SessionsController,
    SessionControlController,
    SessionHoldController,
    SessionStreamController,
    DownloadLinksController,
    RetentionController,
  ],
  providers: [
    AuditedSearches,
    ConnectSessions,
    DownloadLinksService,
    FileSeal,
    LedgerAnchors,
    LedgerVerificationService,
    LedgerWriter,
    LiveStreams,
    LostAccess,
    RecordedTexts,
    RecordingMonths,
    RecordingReader,
    RecordingSeal,
    JournalReplay,
    PeopleWatch,
    RecordingStore,
    RetentionRuns,
    RetentionService,
    Shipper,
    SessionControlService,
    SessionEnder,
    SessionEvidences,
    SessionHoldService,
    SessionKeeper,
    SessionLedger,
    SessionList,
    SessionVerificationService,
    SessionsService,
    JournalingSessionRecorder,
    { provide: ReviewedSessions, useClass: SessionsUnderReview },
    { provide: PendingExecutions, useClass: ApprovedSessions },
    { provide: SessionRecorder, useExisting: JournalingSessionRecorder },
  ],
  exports: [PendingExecutions, ConnectSessions, LostAccess, RecordedTexts, ReviewedSessions, SessionRecorder],
})
export class SessionsModule {}
