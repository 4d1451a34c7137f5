import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { KeysModule } from '../../platform/keys/keys.module';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesService } from './deliveries.service';
import { WebhookDelivery } from './delivery.entity';
import { MetricsModule } from '../../platform/metrics/metrics.module';
import { DeliveryAttempts } from './delivery-attempts';
import { DeliveryQueue } from './delivery-queue';
import { DeliveryRetention } from './delivery-retention';
import { DeliveryWorker } from './delivery-worker';
import { Webhook } from './webhook.entity';
import { WebhookSecrets } from './webhook-secrets';
import { WebhookSender } from './webhook-sender';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

@Module({
  imports: [
    AuditModule,
    DatabaseModule,
    KeysModule,
    MetricsModule,
    TypeOrmModule.forFeature([Webhook, WebhookDelivery]),
  ],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    DeliveriesService,
    DeliveryAttempts,
    DeliveryQueue,
    DeliveryRetention,
    DeliveryWorker,
    WebhookSecrets,
    WebhookSender,
    WebhooksService,
  ],
})
export class WebhooksModule {}
