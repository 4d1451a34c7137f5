import { Module } from '@nestjs/common';
import { EvidenceKeysController } from './evidence-keys.controller';
import { PublishedKeys } from './published-keys';
import { SecretBox } from './secret-box';
import { SshHostKeys } from './ssh-host-keys';
import { SshHostKeysController } from './ssh-host-keys.controller';
import { SshUserCa } from './ssh-user-ca';
import { SshUserCaController } from './ssh-user-ca.controller';

@Module({
  controllers: [EvidenceKeysController, SshHostKeysController, SshUserCaController],
  providers: [PublishedKeys, SecretBox, SshHostKeys, SshUserCa],
  exports: [PublishedKeys, SecretBox, SshHostKeys, SshUserCa],
})
export class KeysModule {}
