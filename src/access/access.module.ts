import { Module } from '@nestjs/common';
import { AccessRulesModule } from '../access-rules/access-rules.module';
import { AuthModule } from '../auth/auth.module';
import { ConnectionsModule } from '../connections/connections.module';
import { CredentialsModule } from '../credentials/credentials.module';
import { DatabaseModule } from '../database/database.module';
import { EventsModule } from '../events/events.module';
import { GrantStore } from '../gate/ports/grant-store';
import { IssuedCredentials } from '../gate/ports/issued-credentials';
import { PendingExecutions } from '../gate/ports/pending-executions';
import { RecordingModule } from '../recording/recording.module';
import { ReviewsModule } from '../reviews/reviews.module';
import { SessionsModule } from '../sessions/sessions.module';
import { AccessDecisions } from './access-decisions';
import { AccessNotices } from './access-notices';
import { AccessRevalidator } from './access-revalidator';
import { ConnectionDeletions } from './connection-deletions';
import { CredentialIssuer } from './credential-issuer';
import { CredentialList } from './credential-list';
import { CredentialRevalidation } from './credential-revalidation';
import { CredentialRevocation } from './credential-revocation';
import { CredentialWithholding } from './credential-withholding';
import { CredentialsController } from './credentials.controller';
import { EmergencyRights } from './emergency-rights';
import { EmergencySchedule } from './emergency-schedule';
import { ExecutionClaims } from './execution-claims';
import { GrantRevocations } from './grant-revocations';
import { Grants } from './grants';
import { IssuedConnectionCredentials } from './issued-connection-credentials';
import { OverdueReviews } from './overdue-reviews';
import { Requesters } from './requesters';
import { RevalidationCandidates } from './revalidation-candidates';
import { RevalidationSchedule } from './revalidation-schedule';
import { ReviewOutcomes } from './review-outcomes';
import { SessionClosings } from './session-closings';
import { SessionReaper } from './session-reaper';
import { SessionRevalidation } from './session-revalidation';

/** The only module that sees rules, reviews, credentials, connections and sessions together. */
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
