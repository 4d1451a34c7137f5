import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/database/database.module';
import { Authenticator } from '../../gate/ports/authenticator';
import { PortalCallers } from '../../gate/ports/portal-callers';
import { PublicKeys } from '../../gate/ports/public-keys';
import { KeysModule } from '../../platform/keys/keys.module';
import { AccessTokenVerifier } from './tokens/access-token-verifier';
import { ApiKey } from './users/api-key.entity';
import { ApiKeysController } from './users/api-keys.controller';
import { ApiKeysService } from './users/api-keys.service';
import { AuthController } from './auth.controller';
import { AuthGuard } from './auth.guard';
import { CredentialStrategy } from './credential.strategy';
import { FailedCredentials } from './tokens/failed-credentials';
import { Group } from './users/group.entity';
import { GroupsController } from './users/groups.controller';
import { GroupsService } from './users/groups.service';
import { IdentityProviderClient } from './provider/identity-provider.client';
import { LoginState } from './sign-in/login-state.entity';
import { LoginStates } from './sign-in/login-states';
import { LoginService } from './sign-in/login.service';
import { OpaqueTokens } from './tokens/opaque-tokens';
import { OrganizationController } from './organization/organization.controller';
import { Organization } from './organization/organization.entity';
import { OrganizationsService } from './organization/organizations.service';
import { KnownPortalSessions } from './portal/known-portal-sessions';
import { PortalSessionRows } from './portal/portal-session-rows';
import { PortalSessionController } from './portal/portal-session.controller';
import { PortalSession } from './portal/portal-session.entity';
import { PortalSessions } from './portal/portal-sessions';
import { PortalSocketCallers } from './portal/portal-socket-callers';
import { PortalTokenRenewal } from './portal/portal-token-renewal';
import { RegisteredKeys } from './users/registered-keys';
import { SshPublicKeyRow } from './users/ssh-public-key.entity';
import { SshPublicKeysController } from './users/ssh-public-keys.controller';
import { SshPublicKeysService } from './users/ssh-public-keys.service';
import { SignedInUsers } from './users/signed-in-users';
import { SigningKeys } from './provider/signing-keys';
import { PageSignIn } from './sign-in/page-sign-in';
import { Principals } from './users/principals';
import { ProvisionedAccess } from './users/provisioned-access';
import { ResourceTokens } from './tokens/resource-tokens';
import { Roles } from './users/roles';
import { TokenAuthenticator } from './tokens/token-authenticator';
import { User, UserGroup } from './users/user.entity';
import { UserSignIn } from './sign-in/user-sign-in';
import { UserTokens } from './tokens/user-tokens';
import { UserAdministrationService } from './users/user-administration.service';
import { UsersController } from './users/users.controller';
import { UsersService } from './users/users.service';

@Module({
  imports: [
    DatabaseModule,
    KeysModule,
    TypeOrmModule.forFeature([
      ApiKey,
      Group,
      LoginState,
      Organization,
      PortalSession,
      SshPublicKeyRow,
      User,
      UserGroup,
    ]),
  ],
  controllers: [
    ApiKeysController,
    AuthController,
    GroupsController,
    OrganizationController,
    PortalSessionController,
    SshPublicKeysController,
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
    RegisteredKeys,
    ResourceTokens,
    Roles,
    SignedInUsers,
    SigningKeys,
    SshPublicKeysService,
    TokenAuthenticator,
    UserAdministrationService,
    UserSignIn,
    UserTokens,
    UsersService,
    { provide: Authenticator, useExisting: TokenAuthenticator },
    { provide: PublicKeys, useExisting: RegisteredKeys },
    { provide: PortalCallers, useClass: PortalSocketCallers },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [
    Authenticator,
    FailedCredentials,
    GroupsService,
    LoginService,
    OrganizationsService,
    PageSignIn,
    PortalCallers,
    Principals,
    ProvisionedAccess,
    PublicKeys,
    ResourceTokens,
  ],
})
export class AuthModule {}
