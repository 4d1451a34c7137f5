import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module';
import { Authenticator } from '../gate/ports/authenticator';
import { AuthController } from './auth.controller';
import { AuthGuard } from './auth.guard';
import { FailedCredentials } from './failed-credentials';
import { IdentityProviderClient } from './identity-provider.client';
import { JwtStrategy } from './jwt.strategy';
import { LoginState } from './login-state.entity';
import { LoginService } from './login.service';
import { Organization } from './organization.entity';
import { OrganizationsService } from './organizations.service';
import { SigningKeys } from './signing-keys';
import { TokenAuthenticator } from './token-authenticator';
import { User, UserGroup } from './user.entity';
import { UsersService } from './users.service';

@Module({
  imports: [
    DatabaseModule,
    PassportModule,
    TypeOrmModule.forFeature([Organization, User, UserGroup, LoginState]),
  ],
  controllers: [AuthController],
  providers: [
    FailedCredentials,
    IdentityProviderClient,
    JwtStrategy,
    LoginService,
    OrganizationsService,
    SigningKeys,
    TokenAuthenticator,
    UsersService,
    { provide: Authenticator, useExisting: TokenAuthenticator },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [Authenticator, OrganizationsService, UsersService],
})
export class AuthModule {}
