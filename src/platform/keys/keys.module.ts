import { Module } from '@nestjs/common';
import { EvidenceKeysController } from './evidence-keys.controller';
import { PublishedKeys } from './published-keys';
import { SecretBox } from './secret-box';
import { SshHostKeys } from './ssh-host-keys';
import { SshHostKeysController } from './ssh-host-keys.controller';

@Module({
  controllers: [EvidenceKeysController, SshHostKeysController],
  providers: [PublishedKeys, SecretBox, SshHostKeys],
  exports: [PublishedKeys, SecretBox, SshHostKeys],
})
export class KeysModule {}
