import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module';
import { Telemetry } from './telemetry';

/** Exports traces and log lines by OTLP. */
@Module({ imports: [MetricsModule], providers: [Telemetry], exports: [Telemetry] })
export class TelemetryModule {}
