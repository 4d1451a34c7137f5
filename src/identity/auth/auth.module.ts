import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module';
import { Authenticator } from '../gate/ports/authenticator';
import { KeysModule } from '../keys/keys.module';
import { AccessTokenVerifier } from './access-token-verifier';
import { ApiKey } from './api-key.entity';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { AuthController } from './auth.controller';
import { AuthGuard } from './auth.guard';
import { CredentialStrategy } from './credential.strategy';
import { FailedCredentials } from './failed-credentials';
import { Group } from './group.entity';
import { GroupsController } from './groups.controller';
import { GroupsService } from './groups.service';
import { IdentityProviderClient } from './identity-provider.client';
import { LoginState } from './login-state.entity';
import { LoginStates } from './login-states';
import { LoginService } from './login.service';
import { OpaqueTokens } from './opaque-tokens';
import { OrganizationController } from './organization.controller';
import { Organization } from './organization.entity';
import { OrganizationsService } from './organizations.service';
import { KnownPortalSessions } from './portal/known-portal-sessions';
import { PortalSessionRows } from './portal/portal-session-rows';
import { PortalSessionController } from './portal/portal-session.controller';
import { PortalSession } from './portal/portal-session.entity';
import { PortalSessions } from './portal/portal-sessions';
import { PortalTokenRenewal } from './portal/portal-token-renewal';
import { SignedInUsers } from './signed-in-users';
import { SigningKeys } from './signing-keys';
import { PageSignIn } from './page-sign-in';
import { Principals } from './principals';
import { ProvisionedAccess } from './provisioned-access';
import { ResourceTokens } from './resource-tokens';
import { Roles } from './roles';
import { TokenAuthenticator } from './token-authenticator';
import { User, UserGroup } from './user.entity';
import { UserSignIn } from './user-sign-in';
import { UserTokens } from './user-tokens';
import { UserAdministrationService } from './user-administration.service';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [
    DatabaseModule,
    KeysModule,
    TypeOrmModule.forFeature([ApiKey, Group, LoginState, Organization, PortalSession, User, UserGroup]),
  ],
  controllers: [
    ApiKeysController,
    AuthController,
    GroupsController,
    OrganizationController,
    PortalSessionController,
    UsersController,
  ],
  providers: [
    AccessTokenVerifier,
    ApiKeysService,
    CredentialStrategy,
    FailedCredentials,
    GroupsService,
    IdentityProviderClient,
    LoginService,
    LoginStates,
    OpaqueTokens,
    OrganizationsService,
    KnownPortalSessions,
    PageSignIn,
    PortalSessionRows,
    PortalSessions,
    PortalTokenRenewal,
    Principals,
    ProvisionedAccess,
    ResourceTokens,
    Roles,
    SignedInUsers,
    SigningKeys,
    TokenAuthenticator,
    UserAdministrationService,
    UserSignIn,
    UserTokens,
    UsersService,
    { provide: Authenticator, useExisting: TokenAuthenticator },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [
    Authenticator,
    FailedCredentials,
    GroupsService,
    LoginService,
    OrganizationsService,
    PageSignIn,
    Principals,
    ProvisionedAccess,
    ResourceTokens,
  ],
})
export class AuthModule {}
