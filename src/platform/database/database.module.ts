import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DatabaseSettings } from '../config/groups';
import { ChangeFeed } from './feed/change-feed';
import { MetricsModule } from '../metrics/metrics.module';
import { dataSourceOptions } from './pools/data-source-options';
import { DatabaseMetrics } from './feed/database-metrics';
import { DomainEvents } from './feed/domain-events';
import { readInPieces } from './pools/driver-stream';
import { endsQuietly } from './pools/ends-quietly';
import { ReplicaReads } from './pools/replica';
import { retryTransactions } from './faults/retry';
import { SchemaWatch } from './schema/schema-watch';

/** Time-out of a statement. A silent database (lost route, frozen machine) must not block callers forever. */
const ANSWER_WITHIN_MS = 20_000;

@Module({
  imports: [
    MetricsModule,
    TypeOrmModule.forRootAsync({
      inject: [DatabaseSettings],
      useFactory: (settings: DatabaseSettings) => {
        const options = dataSourceOptions(settings.url, settings.poolSize);
        return {
          ...options,
          extra: { ...options.extra, onConnect: readInPieces, query_timeout: ANSWER_WITHIN_MS },
          autoLoadEntities: true,
          retryAttempts: 0,
        };
      },
      dataSourceFactory: async (options) => {
        if (options === undefined) throw new Error('the options of the database are missing');
        return endsQuietly(retryTransactions(await new DataSource(options).initialize()));
      },
    }),
  ],
  providers: [ChangeFeed, DatabaseMetrics, DomainEvents, ReplicaReads, SchemaWatch],
  exports: [ChangeFeed, DomainEvents, ReplicaReads, SchemaWatch],
})
export class DatabaseModule {}
