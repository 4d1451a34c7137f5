import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Outbox } from './outbox';
import { OutboxEvent } from './outbox.entity';
import { StoredOutbox } from './stored-outbox';

/** Takes events from other modules. Webhooks sends them to subscribers. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEvent])],
  providers: [{ provide: Outbox, useClass: StoredOutbox }],
  exports: [Outbox],
})
export class EventsModule {}
