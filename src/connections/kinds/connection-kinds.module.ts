import { Module } from '@nestjs/common';
import { ConnectionKindsController } from './connection-kinds.controller';
import { ConnectionKindsService } from './connection-kinds.service';

@Module({ controllers: [ConnectionKindsController], providers: [ConnectionKindsService] })
export class ConnectionKindsModule {}
