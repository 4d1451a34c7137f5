import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../kernel/clock';
import { groupClasses } from './groups';
import { Settings } from './settings';

/** Global: every module may ask for the settings, for one group of them, and for the clock; nothing else is ambient. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: Settings): DynamicModule {
    const groups = Object.entries(groupClasses).map(([name, provide]) => ({
      provide,
      useValue: settings[name as keyof Settings],
    }));
    return {
      module: ConfigModule,
      providers: [
        { provide: Settings, useValue: settings },
        ...groups,
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [Settings, Clock, ...Object.values(groupClasses)],
    };
  }
}
