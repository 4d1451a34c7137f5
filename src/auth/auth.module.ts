import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module';
import { Authenticator } from '../gate/ports/authenticator';
import { ApiKey } from './api-key.entity';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { AuthController } from './auth.controller';
import { AuthGuard } from './auth.guard';
import { FailedCredentials } from './failed-credentials';
import { Group } from './group.entity';
import { GroupsController } from './groups.controller';
import { GroupsService } from './groups.service';
import { IdentityProviderClient } from './identity-provider.client';
import { JwtStrategy } from './jwt.strategy';
import { LoginState } from './login-state.entity';
import { LoginService } from './login.service';
import { OrganizationController } from './organization.controller';
import { Organization } from './organization.entity';
import { OrganizationsService } from './organizations.service';
import { SigningKeys } from './signing-keys';
import { Principals } from './principals';
import { Roles } from './roles';
import { TokenAuthenticator } from './token-authenticator';
import { User, UserGroup } from './user.entity';
import { UserAdministrationService } from './user-administration.service';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [
    DatabaseModule,
    PassportModule,
    TypeOrmModule.forFeature([ApiKey, Group, LoginState, Organization, User, UserGroup]),
  ],
  controllers: [ApiKeysController, AuthController, GroupsController, OrganizationController, UsersController],
  providers: [
    ApiKeysService,
    FailedCredentials,
    GroupsService,
    IdentityProviderClient,
    JwtStrategy,
    LoginService,
    OrganizationsService,
    Principals,
    Roles,
    SigningKeys,
    TokenAuthenticator,
    UserAdministrationService,
    UsersService,
    { provide: Authenticator, useExisting: TokenAuthenticator },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [Authenticator, FailedCredentials, GroupsService, OrganizationsService, Principals],
})
export class AuthModule {}
