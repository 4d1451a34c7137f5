import { type DynamicModule, Global, Module, type ModuleMetadata } from '@nestjs/common';
import { Entrance } from './entrance';
import { Gate } from './gate';

/**
 * Wires the gate to the modules that keep its ports' promises. Global, because the gate knows none of them
 * by name and the proxies know only the gate.
 */
@Global()
@Module({})
export class GateModule {
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    // The ports themselves too: some are asked before there is anything to enter.
    const ports = modules as NonNullable<ModuleMetadata['exports']>;
    return { module: GateModule, imports: modules, providers: [Gate, Entrance], exports: [Gate, ...ports] };
  }
}
