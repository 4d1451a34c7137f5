import { Module } from '@nestjs/common';
import { MetricsSettings } from '../config/groups';
import { Meter } from './meter';

/** For modules that count, or register what is read at a scrape. */
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
