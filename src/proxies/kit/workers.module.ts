import { Module } from '@nestjs/common';
import { GatewayCounts } from './counts';
import { WorkerLinks } from './worker-links';

/** Services that the workers of one gateway share. A gateway with one process needs no sharing. */
@Module({ providers: [GatewayCounts, WorkerLinks], exports: [GatewayCounts, WorkerLinks] })
export class WorkersModule {}
