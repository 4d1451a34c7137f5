import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { DatabaseModule } from '../database/database.module';
import { SessionRecorder } from '../gate/ports/session-recorder';
import { ReviewsModule } from '../reviews/reviews.module';
import { AuditedSearches } from './audited-searches';
import { LiveStreams } from './live/live-streams';
import { SessionStreamController } from './live/session-stream.controller';
import { RecordedTexts } from './recorded-texts';
import { RecordingSeal } from './recording/chain';
import { RecordingReader } from './recording/recording-reader';
import { RecordingsRepository } from './recordings.repository';
import { SessionControlController } from './session-control.controller';
import { SessionControlService } from './session-control.service';
import { SessionEnder } from './session-ender';
import { SessionKeeper } from './session-keeper';
import { SessionList } from './session-list';
import { Session, SessionChunk } from './session.entity';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { StoredSessionRecorder } from './stored-session-recorder';

@Module({
  imports: [AuthModule, DatabaseModule, ReviewsModule, TypeOrmModule.forFeature([Session, SessionChunk])],
  controllers: [SessionsController, SessionControlController, SessionStreamController],
  providers: [
    AuditedSearches,
    LiveStreams,
    RecordedTexts,
    RecordingReader,
    RecordingSeal,
    RecordingsRepository,
    SessionControlService,
    SessionEnder,
    SessionKeeper,
    SessionList,
    SessionsService,
    StoredSessionRecorder,
    { provide: SessionRecorder, useExisting: StoredSessionRecorder },
  ],
  exports: [RecordedTexts, SessionRecorder],
})
export class SessionsModule {}
