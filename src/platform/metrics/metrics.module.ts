import { Module } from '@nestjs/common';
import { MetricsSettings } from '../config/groups';
import { Meter } from './meter';

/** Provides the meter to modules that count events or register readings. */
@Module({
  providers: [
    {
      provide: Meter,
      inject: [MetricsSettings],
      useFactory: ({ port }: MetricsSettings) => new Meter(port > 0),
    },
  ],
  exports: [Meter],
})
export class MetricsModule {}
