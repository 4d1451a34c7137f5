import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { Readiness } from './readiness';

/** Needs the gate, which the app wires globally. */
@Module({ controllers: [HealthController], providers: [Readiness] })
export class HealthModule {}
