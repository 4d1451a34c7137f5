import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessRulesModule } from '../access-rules/access-rules.module';
import { AuthModule } from '../auth/auth.module';
import { ConnectionsModule } from '../connections/connections.module';
import { IssuedCredentials } from '../gate/ports/issued-credentials';
import { SessionsModule } from '../sessions/sessions.module';
import { ConnectionCredential } from './credential.entity';
import { CredentialsController } from './credentials.controller';
import { CredentialsService } from './credentials.service';
import { IssuedConnectionCredentials } from './issued-connection-credentials';

@Module({
  imports: [
    AccessRulesModule,
    AuthModule,
    ConnectionsModule,
    SessionsModule,
    TypeOrmModule.forFeature([ConnectionCredential]),
  ],
  controllers: [CredentialsController],
  providers: [CredentialsService, { provide: IssuedCredentials, useClass: IssuedConnectionCredentials }],
  exports: [IssuedCredentials],
})
export class CredentialsModule {}
