import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Outbox } from './outbox';
import { OutboxEvent } from './outbox.entity';
import { StoredOutbox } from './stored-outbox';

/** Where other modules leave word of what happened. Who is told of it is the business of Webhooks. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEvent])],
  providers: [{ provide: Outbox, useClass: StoredOutbox }],
  exports: [Outbox],
})
export class EventsModule {}
