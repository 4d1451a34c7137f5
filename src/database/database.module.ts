import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings';
import { ChangeFeed } from './change-feed';
import { dataSourceOptions } from './data-source-options';

/** For one statement. A database that has fallen silent (a lost route, a frozen machine) must keep no caller waiting. */
const ANSWER_WITHIN_MS = 20_000;

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => {
        const options = dataSourceOptions(settings.DATABASE_URL, settings.DATABASE_POOL_SIZE);
        return {
          ...options,
          extra: { ...options.extra, query_timeout: ANSWER_WITHIN_MS },
          autoLoadEntities: true,
          retryAttempts: 0,
        };
      },
    }),
  ],
  providers: [ChangeFeed],
  exports: [ChangeFeed],
})
export class DatabaseModule {}
