import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArchiveModule } from '../archive/archive.module';
import { SealingSettings } from '../../platform/config/groups';
import { DatabaseModule } from '../../platform/database/database.module';
import { SessionRecorder } from '../../gate/ports/session-recorder';
import { RecordingSeal } from '../format/chain';
import { GatewayPipeline } from './gateway-pipeline';
import { JournalReplay } from './journal-replay';
import { JournalingSessionRecorder } from './journaling-session-recorder';
import { LiveSessions } from './live-sessions';
import { RecordingReader } from './recording-reader';
import { RecordingStore } from './recording-store';
import { SessionRow, SessionChunk } from './session.entity';
import { Shipper } from './shipper';
import { StopRequests } from './stop-requests';
import { StoredSessions } from './stored-sessions';

/**
 * Stores sessions and their recordings. Exports the tables too, because other session modules read and change
 * their rows.
 */
@Module({
  imports: [ArchiveModule, DatabaseModule, TypeOrmModule.forFeature([SessionRow, SessionChunk])],
  providers: [
    GatewayPipeline,
    JournalReplay,
    JournalingSessionRecorder,
    LiveSessions,
    RecordingReader,
    {
      provide: RecordingSeal,
      inject: [SealingSettings],
      useFactory: (settings: SealingSettings) => new RecordingSeal(settings),
    },
    RecordingStore,
    Shipper,
    StoredSessions,
    StopRequests,
    { provide: SessionRecorder, useExisting: JournalingSessionRecorder },
  ],
  exports: [
    GatewayPipeline,
    JournalReplay,
    JournalingSessionRecorder,
    LiveSessions,
    RecordingReader,
    RecordingSeal,
    RecordingStore,
    SessionRecorder,
    StoredSessions,
    TypeOrmModule,
  ],
})
export class RecordingModule {}
