import { Module } from '@nestjs/common';
import { EvidenceKeysController } from './evidence-keys.controller';
import { PublishedKeys } from './published-keys';

@Module({ controllers: [EvidenceKeysController], providers: [PublishedKeys], exports: [PublishedKeys] })
export class KeysModule {}
