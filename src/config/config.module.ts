import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../kernel/clock';
import { Settings } from './settings';

/** Global: every module may ask for the settings and the clock; nothing else is ambient. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [Settings, Clock],
    };
  }
}
