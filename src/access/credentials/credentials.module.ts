import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialStore } from './credential-store';
import { ConnectionCredential } from './credential.entity';

@Module({
  imports: [TypeOrmModule.forFeature([ConnectionCredential])],
  providers: [CredentialStore],
  exports: [CredentialStore],
})
export class CredentialsModule {}
