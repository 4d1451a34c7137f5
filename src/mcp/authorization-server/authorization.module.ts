import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { ResourceTokens } from '../../identity/auth/tokens/resource-tokens';
import { ConnectionsModule } from '../../connections/registry/connections.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { ClientAuthorizations } from '../../gate/ports/client-authorizations';
import { AccessTokens } from './stored/access-tokens';
import { AuthorizationAudit } from './stored/authorization-audit';
import { AuthorizationEndpoints } from './authorization-endpoints';
import { AuthorizationList } from './stored/authorization-list';
import { AuthorizationRequests } from './stored/authorization-requests';
import {
  Authorization,
  AuthorizationClient,
  AuthorizationDevice,
  AuthorizationRequest,
  AuthorizationToken,
} from './stored/authorization.entity';
import { Authorizations } from './stored/authorizations';
import { AuthorizationsController } from './stored/authorizations.controller';
import { AuthorizeService } from './consent/authorize.service';
import { ClientDocuments } from './consent/client-documents';
import { Clients } from './consent/clients';
import { ConsentService } from './consent/consent.service';
import { Decisions } from './consent/decisions';
import { DeviceDecisions } from './consent/device-decisions';
import { DevicePages } from './consent/device-pages';
import { Devices } from './consent/devices';
import { ExpiredRows } from './stored/expired-rows';
import { AuthorizationMetadata } from './protocol/metadata';
import { StoredClientAuthorizations } from './stored/stored-client-authorizations';
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
