import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { DatabaseModule } from '../database/database.module';
import { PendingExecutions } from '../gate/ports/pending-executions';
import { RecordingModule } from '../recording/recording.module';
import { ReviewedSessions } from '../reviews/reviewed-work';
import { ReviewsModule } from '../reviews/reviews.module';
import { SessionLedgerModule } from '../session-ledger/session-ledger.module';
import { SessionSearchModule } from '../session-search/session-search.module';
import { ApprovedSessions } from './approved-sessions';
import { ConnectSessions } from './connect-sessions';
import { LostAccess } from './lost-access';
import { PeopleWatch } from './people-watch';
import { SessionControlController } from './session-control.controller';
import { SessionControlService } from './session-control.service';
import { SessionEnder } from './session-ender';
import { SessionHoldController } from './session-hold.controller';
import { SessionHoldService } from './session-hold.service';
import { SessionKeeper } from './session-keeper';
import { SessionList } from './session-list';
import { SessionsController } from './sessions.controller';
import { SessionsUnderReview } from './sessions-under-review';
import { VisibleSessions } from './visible-sessions';

/** Lists sessions, ends them, holds them, and keeps their metadata. */
@Module({
  imports: [
    AuthModule,
    DatabaseModule,
    RecordingModule,
    ReviewsModule,
    SessionLedgerModule,
    SessionSearchModule,
  ],
  controllers: [SessionsController, SessionControlController, SessionHoldController],
  providers: [
    ConnectSessions,
    LostAccess,
    PeopleWatch,
    SessionControlService,
    SessionEnder,
    SessionHoldService,
    SessionKeeper,
    SessionList,
    VisibleSessions,
    { provide: ReviewedSessions, useClass: SessionsUnderReview },
    { provide: PendingExecutions, useClass: ApprovedSessions },
  ],
  exports: [ConnectSessions, LostAccess, PendingExecutions, ReviewedSessions, VisibleSessions],
})
export class SessionsModule {}
