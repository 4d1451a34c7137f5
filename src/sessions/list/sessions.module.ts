import { Module } from '@nestjs/common';
import { AuthModule } from '../../identity/auth/auth.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { RecordingModule } from '../recording/recording.module';
import { ReviewsModule } from '../../approvals/reviews/reviews.module';
import { SessionLedgerModule } from '../ledger/session-ledger.module';
import { SessionSearchModule } from '../search/session-search.module';
import { AbandonedSessions } from './abandoned-sessions';
import { ConnectSessions } from './connect-sessions';
import { PendingSessions } from './pending-sessions';
import { SessionControlController } from './session-control.controller';
import { SessionControlService } from './session-control.service';
import { SessionEnder } from './session-ender';
import { SessionHoldController } from './session-hold.controller';
import { SessionHoldService } from './session-hold.service';
import { MetricsModule } from '../../platform/metrics/metrics.module';
import { SessionMetrics } from './session-metrics';
import { SessionList } from './session-list';
import { SessionsController } from './sessions.controller';
import { VisibleSessions } from './visible-sessions';

/** Lists sessions, ends them, puts them under legal hold, and stores their metadata. */
@Module({
  imports: [
    AuthModule,
    DatabaseModule,
    MetricsModule,
    RecordingModule,
    ReviewsModule,
    SessionLedgerModule,
    SessionSearchModule,
  ],
  controllers: [SessionsController, SessionControlController, SessionHoldController],
  providers: [
    AbandonedSessions,
    ConnectSessions,
    PendingSessions,
    SessionControlService,
    SessionEnder,
    SessionHoldService,
    SessionList,
    SessionMetrics,
    VisibleSessions,
  ],
  exports: [AbandonedSessions, ConnectSessions, PendingSessions, VisibleSessions],
})
export class SessionsModule {}
