import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { DatabaseModule } from '../database/database.module';
import { KeysModule } from '../keys/keys.module';
import { AskedSessions } from '../gate/ports/asked-sessions';
import { SessionRecorder } from '../gate/ports/session-recorder';
import { ReviewedSessions } from '../reviews/reviewed-work';
import { ReviewsModule } from '../reviews/reviews.module';
import { RetentionController } from './retention/retention.controller';
import { RetentionRun } from './retention/retention-run.entity';
import { RetentionRuns } from './retention/retention-runs';
import { RetentionService } from './retention/retention.service';
import { ApprovedSessions } from './approved-sessions';
import { AuditedSearches } from './audited-searches';
import { ConnectSessions } from './connect-sessions';
import { DownloadLink } from './downloads/download-link.entity';
import { DownloadLinksController } from './downloads/download-links.controller';
import { DownloadLinksService } from './downloads/download-links.service';
import { FileSeal } from './evidence/file-seal';
import { SessionEvidences } from './evidence/session-evidence';
import { LedgerAnchors } from './ledger/ledger-anchors';
import { LedgerVerificationService } from './ledger/ledger-verification.service';
import { LedgerWriter } from './ledger/ledger-writer';
import { SessionLedger } from './ledger/session-ledger';
import { LiveStreams } from './live/live-streams';
import { SessionStreamController } from './live/session-stream.controller';
import { LostAccess } from './lost-access';
import { RecordedTexts } from './recorded-texts';
import { RecordingSeal } from './recording/chain';
import { RecordingMonths } from './recording/recording-months';
import { RecordingReader } from './recording/recording-reader';
import { JournalReplay } from './recording/journal-replay';
import { RecordingStore } from './recording/recording-store';
import { Shipper } from './recording/shipper';
import { PeopleWatch } from './people-watch';
import { SessionControlController } from './session-control.controller';
import { SessionControlService } from './session-control.service';
import { SessionEnder } from './session-ender';
import { SessionHoldController } from './session-hold.controller';
import { SessionHoldService } from './session-hold.service';
import { SessionKeeper } from './session-keeper';
import { SessionList } from './session-list';
import { Session, SessionChunk } from './session.entity';
import { SessionVerificationController } from './session-verification.controller';
import { SessionVerificationService } from './session-verification.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { SessionsUnderReview } from './sessions-under-review';
import { JournalingSessionRecorder } from './journaling-session-recorder';

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
    { provide: AskedSessions, useClass: ApprovedSessions },
    { provide: SessionRecorder, useExisting: JournalingSessionRecorder },
  ],
  exports: [AskedSessions, ConnectSessions, LostAccess, RecordedTexts, ReviewedSessions, SessionRecorder],
})
export class SessionsModule {}
