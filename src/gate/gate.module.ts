import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { Entrance } from './entrance';
import { Gate } from './gate';

/** Wires the gate to the modules that keep its ports' promises: it knows none of them by name. Exports the gate alone. */
@Module({})
export class GateModule {
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: GateModule, imports: modules, providers: [Gate, Entrance], exports: [Gate] };
  }
}
