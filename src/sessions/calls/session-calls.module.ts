import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallLog } from '../../gate/ports/call-log';
import { MetricsModule } from '../../platform/metrics/metrics.module';
import { RecordingModule } from '../recording/recording.module';
import { SessionsModule } from '../list/sessions.module';
import { SessionCall } from './session-call.entity';
import { SessionCallsController } from './session-calls.controller';
import { SessionCallsService } from './session-calls.service';
import { StoredCallLog } from './stored-call-log';

/** Shows what clients requested of MCP servers, call by call. */
@Module({
  imports: [MetricsModule, RecordingModule, SessionsModule, TypeOrmModule.forFeature([SessionCall])],
  controllers: [SessionCallsController],
  providers: [SessionCallsService, StoredCallLog, { provide: CallLog, useExisting: StoredCallLog }],
  exports: [CallLog],
})
export class SessionCallsModule {}
