import { Module } from '@nestjs/common';
import { GatewayCounts } from './counts';
import { WorkerLinks } from './worker-links';

/** What the workers of one gateway share. A process that serves alone has it for itself. */
@Module({ providers: [GatewayCounts, WorkerLinks], exports: [GatewayCounts, WorkerLinks] })
export class WorkersModule {}
