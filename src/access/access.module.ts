import { Module } from '@nestjs/common';
import { AccessRulesModule } from '../approvals/access-rules/access-rules.module';
import { AuthModule } from '../identity/auth/auth.module';
import { ConnectionsModule } from '../connections/registry/connections.module';
import { CredentialsModule } from './credentials/credentials.module';
import { DatabaseModule } from '../platform/database/database.module';
import { EventsModule } from '../platform/events/events.module';
import { GrantStore } from '../gate/ports/grant-store';
import { IssuedCredentials } from '../gate/ports/issued-credentials';
import { PendingExecutions } from '../gate/ports/pending-executions';
import { RecordingModule } from '../sessions/recording/recording.module';
import { ReviewsModule } from '../approvals/reviews/reviews.module';
import { SessionsModule } from '../sessions/list/sessions.module';
import { AccessDecisions } from './life/access-decisions';
import { AccessNotices } from './life/access-notices';
import { AccessRevalidator } from './life/access-revalidator';
import { ConnectionDeletions } from './life/connection-deletions';
import { CredentialIssuer } from './issuing/credential-issuer';
import { CredentialList } from './issuing/credential-list';
import { CredentialRevalidation } from './life/credential-revalidation';
import { CredentialRevocation } from './issuing/credential-revocation';
import { CredentialWithholding } from './life/credential-withholding';
import { CredentialsController } from './issuing/credentials.controller';
import { EmergencyRights } from './life/emergency-rights';
import { EmergencySchedule } from './life/emergency-schedule';
import { ExecutionClaims } from './life/execution-claims';
import { GrantRevocations } from './life/grant-revocations';
import { Grants } from './life/grants';
import { IssuedConnectionCredentials } from './issuing/issued-connection-credentials';
import { OverdueReviews } from './life/overdue-reviews';
import { Requesters } from './life/requesters';
import { RevalidationCandidates } from './life/revalidation-candidates';
import { RevalidationSchedule } from './life/revalidation-schedule';
import { ReviewOutcomes } from './life/review-outcomes';
import { SessionClosings } from './life/session-closings';
import { SessionReaper } from './life/session-reaper';
import { SessionRevalidation } from './life/session-revalidation';

/** Joins the modules for rules, reviews, credentials, connections and sessions. No other module needs all. */
@Module({
  imports: [
    AccessRulesModule,
    AuthModule,
    ConnectionsModule,
    CredentialsModule,
    DatabaseModule,
    EventsModule,
    RecordingModule,
    ReviewsModule,
    SessionsModule,
  ],
  controllers: [CredentialsController],
  providers: [
    AccessDecisions,
    AccessNotices,
    AccessRevalidator,
    ConnectionDeletions,
    CredentialIssuer,
    CredentialList,
    CredentialRevalidation,
    CredentialRevocation,
    CredentialWithholding,
    EmergencyRights,
    EmergencySchedule,
    GrantRevocations,
    Grants,
    OverdueReviews,
    Requesters,
    RevalidationCandidates,
    RevalidationSchedule,
    ReviewOutcomes,
    SessionClosings,
    SessionReaper,
    SessionRevalidation,
    { provide: GrantStore, useExisting: Grants },
    { provide: IssuedCredentials, useClass: IssuedConnectionCredentials },
    { provide: PendingExecutions, useClass: ExecutionClaims },
  ],
  exports: [GrantStore, IssuedCredentials, PendingExecutions],
})
export class AccessModule {}
