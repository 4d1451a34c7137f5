import { Module } from '@nestjs/common';
import { EvidenceKeysController } from './evidence-keys.controller';
import { PublishedKeys } from './published-keys';
import { SecretBox } from './secret-box';

@Module({
  controllers: [EvidenceKeysController],
  providers: [PublishedKeys, SecretBox],
  exports: [PublishedKeys, SecretBox],
})
export class KeysModule {}
