import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessRulesModule } from '../access-rules/access-rules.module';
import { AuthModule } from '../auth/auth.module';
import { ConnectionsModule } from '../connections/connections.module';
import { DatabaseModule } from '../database/database.module';
import { EventsModule } from '../events/events.module';
import { GrantStore } from '../gate/ports/grant-store';
import { IssuedCredentials } from '../gate/ports/issued-credentials';
import { ReviewedGrants } from '../reviews/reviewed-work';
import { ReviewsModule } from '../reviews/reviews.module';
import { SessionsModule } from '../sessions/sessions.module';
import { ApprovedAccess } from './approved-access';
import { ConnectionCredential } from './credential.entity';
import { CredentialsController } from './credentials.controller';
import { CredentialsService } from './credentials.service';
import { EndedGrants } from './ended-grants';
import { IssuedConnectionCredentials } from './issued-connection-credentials';
import { WithheldAccess } from './withheld-access';
import { WithheldCandidates } from './withheld-candidates';

@Module({
  imports: [
    AccessRulesModule,
    AuthModule,
    ConnectionsModule,
    DatabaseModule,
    EventsModule,
    ReviewsModule,
    SessionsModule,
    TypeOrmModule.forFeature([ConnectionCredential]),
  ],
  controllers: [CredentialsController],
  providers: [
    ApprovedAccess,
    CredentialsService,
    WithheldAccess,
    WithheldCandidates,
    { provide: GrantStore, useExisting: ApprovedAccess },
    { provide: IssuedCredentials, useClass: IssuedConnectionCredentials },
    { provide: ReviewedGrants, useClass: EndedGrants },
  ],
  exports: [GrantStore, IssuedCredentials, ReviewedGrants],
})
export class CredentialsModule {}
