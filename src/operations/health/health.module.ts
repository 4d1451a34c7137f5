import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module';
import { HealthController } from './health.controller';
import { Readiness } from './readiness';

@Module({ controllers: [HealthController], providers: [Readiness] })
export class HealthModule {
  /** @param modules the gate, and the module that implements the port `Authenticator`. */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: HealthModule, imports: [DatabaseModule, ...modules] };
  }
}
