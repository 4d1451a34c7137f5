import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../identity/auth/auth.module';
import { RecordingModule } from '../recording/recording.module';
import { SessionEvidenceModule } from '../evidence/session-evidence.module';
import { SessionsModule } from '../list/sessions.module';
import { DownloadLinkStore } from './downloads/download-link-store';
import { DownloadLink } from './downloads/download-link.entity';
import { DownloadLinksController } from './downloads/download-links.controller';
import { DownloadLinksService } from './downloads/download-links.service';
import { LiveStreams } from './live/live-streams';
import { SessionStreamController } from './live/session-stream.controller';
import { RecordedTexts } from './recorded-texts';
import { SessionController } from './session/session.controller';
import { SessionReader } from './session/session-reader';

/** Serves one session with its recording: as JSON, as a file, by a download link, or as a live stream. */
@Module({
  imports: [
    AuthModule,
    RecordingModule,
    SessionEvidenceModule,
    SessionsModule,
    TypeOrmModule.forFeature([DownloadLink]),
  ],
  controllers: [SessionController, SessionStreamController, DownloadLinksController],
  providers: [DownloadLinkStore, DownloadLinksService, LiveStreams, RecordedTexts, SessionReader],
  exports: [RecordedTexts],
})
export class SessionReadingModule {}
