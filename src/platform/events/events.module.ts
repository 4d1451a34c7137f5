import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module';
import { ExportCursor } from './export-cursor.entity';
import { ExportCursors } from './export-cursors';
import { Outbox } from './outbox';
import { OutboxEvent } from './outbox.entity';
import { StoredOutbox } from './stored-outbox';

/**
 * Stores the events of other modules. The webhooks module sends them to subscribers, the event-export module
 * sends them to collectors.
 */
@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([ExportCursor, OutboxEvent])],
  providers: [ExportCursors, { provide: Outbox, useClass: StoredOutbox }],
  exports: [ExportCursors, Outbox],
})
export class EventsModule {}
