import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../../kernel/async/clock';
import { groupClasses } from './groups';
import { Settings } from './settings';

/** Global: any module may inject the settings, one group of them, and the clock. Nothing else is global. */
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
