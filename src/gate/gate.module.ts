import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { Approvals } from './approvals';
import { CallDecisions } from './call-decisions';
import { Entrance } from './entrance';
import { Gate } from './gate';

/**
 * Connects the gate to the modules that implement its ports. The gate itself imports none of these modules.
 * Exports only the gate.
 */
@Module({})
export class GateModule {
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return {
      module: GateModule,
      imports: modules,
      providers: [Approvals, CallDecisions, Entrance, Gate],
      exports: [Gate],
    };
  }
}
