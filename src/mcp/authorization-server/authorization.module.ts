import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { ResourceTokens } from '../auth/resource-tokens';
import { ConnectionsModule } from '../connections/connections.module';
import { DatabaseModule } from '../database/database.module';
import { ClientAuthorizations } from '../gate/ports/client-authorizations';
import { AccessTokens } from './access-tokens';
import { AuthorizationAudit } from './authorization-audit';
import { AuthorizationEndpoints } from './authorization-endpoints';
import { AuthorizationList } from './authorization-list';
import { AuthorizationRequests } from './authorization-requests';
import {
  Authorization,
  AuthorizationClient,
  AuthorizationDevice,
  AuthorizationRequest,
  AuthorizationToken,
} from './authorization.entity';
import { Authorizations } from './authorizations';
import { AuthorizationsController } from './authorizations.controller';
import { AuthorizeService } from './authorize.service';
import { ClientDocuments } from './client-documents';
import { Clients } from './clients';
import { ConsentService } from './consent.service';
import { Decisions } from './decisions';
import { DeviceDecisions } from './device-decisions';
import { DevicePages } from './device-pages';
import { Devices } from './devices';
import { ExpiredRows } from './expired-rows';
import { AuthorizationMetadata } from './metadata';
import { StoredClientAuthorizations } from './stored-client-authorizations';
import { TokenRequests } from './token-requests';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      Authorization,
      AuthorizationClient,
      AuthorizationDevice,
      AuthorizationRequest,
      AuthorizationToken,
    ]),
    AuditModule,
    AuthModule,
    ConnectionsModule,
    DatabaseModule,
  ],
  controllers: [AuthorizationsController],
  providers: [
    AccessTokens,
    AuthorizationAudit,
    AuthorizationEndpoints,
    AuthorizationList,
    AuthorizationMetadata,
    AuthorizationRequests,
    Authorizations,
    AuthorizeService,
    ClientDocuments,
    Clients,
    ConsentService,
    Decisions,
    DeviceDecisions,
    DevicePages,
    Devices,
    ExpiredRows,
    TokenRequests,
    { provide: ClientAuthorizations, useClass: StoredClientAuthorizations },
  ],
  exports: [ClientAuthorizations],
})
export class AuthorizationModule implements OnModuleInit {
  constructor(
    private readonly issued: ResourceTokens,
    private readonly tokens: AccessTokens,
  ) {}

  onModuleInit(): void {
    this.issued.checkedBy((bearer, resource) => this.tokens.identify(bearer, resource));
  }
}
