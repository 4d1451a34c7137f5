import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module';
import { Telemetry } from './telemetry';

/** Traces and the log, by OTLP. */
@Module({ imports: [MetricsModule], providers: [Telemetry], exports: [Telemetry] })
export class TelemetryModule {}
