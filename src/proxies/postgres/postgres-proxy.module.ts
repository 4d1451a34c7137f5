import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../database/database.module';
import { TypeCatalog } from './binary/type-catalog';
import { CancelBroadcast } from './cancel-broadcast';
import { CancelKeys } from './cancel-keys';
import { ClientLimits } from './client-limits';
import { GatewayFrontend } from './gateway-frontend';
import { PostgresListener } from './listener';
import { OpenSessions } from './open-sessions';
import { ProxyFrontend } from './proxy-frontend';

/** Needs the gate and its ports, which the app wires globally. */
@Module({
  imports: [DatabaseModule],
  providers: [
    CancelBroadcast,
    CancelKeys,
    ClientLimits,
    OpenSessions,
    PostgresListener,
    TypeCatalog,
    { provide: ProxyFrontend, useClass: GatewayFrontend },
  ],
})
export class PostgresProxyModule {}
