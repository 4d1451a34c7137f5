import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttributesModule } from '../attributes/attributes.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { TargetDirectory } from '../../gate/ports/target-directory';
import { TargetReachability } from '../../gate/ports/target-reachability';
import { GuardrailsModule } from '../../guardrails/guardrails.module';
import { KeysModule } from '../../platform/keys/keys.module';
import { ConnectionBindings } from './connection-bindings';
import { ConnectionChangesService } from './connection-changes.service';
import { ConnectionHandlers } from './connection-handlers';
import { ConnectionRemoval } from './connection-removal';
import { ConnectionStates } from './connection-states';
import { ConnectionWarnings } from './connection-warnings';
import { ConnectionReachability } from './connection-reachability.entity';
import { Connection } from './connection.entity';
import { ConnectionsController } from './connections.controller';
import { ConnectionsService } from './connections.service';
import { StoredReachability } from './stored-reachability';
import { StoredTargets } from './stored-targets';

@Module({
  imports: [
    TypeOrmModule.forFeature([Connection, ConnectionReachability]),
    AttributesModule,
    AuthModule,
    DatabaseModule,
    GuardrailsModule,
    KeysModule,
  ],
  controllers: [ConnectionsController],
  providers: [
    ConnectionBindings,
    ConnectionChangesService,
    ConnectionHandlers,
    ConnectionRemoval,
    ConnectionStates,
    ConnectionWarnings,
    ConnectionsService,
    StoredReachability,
    { provide: TargetReachability, useExisting: StoredReachability },
    { provide: TargetDirectory, useClass: StoredTargets },
  ],
  exports: [ConnectionStates, ConnectionsService, TargetDirectory, TargetReachability],
})
export class ConnectionsModule {}
