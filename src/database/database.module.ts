import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings';
import { ChangeFeed } from './change-feed';
import { dataSourceOptions } from './data-source-options';

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        ...dataSourceOptions(settings.DATABASE_URL, settings.DATABASE_POOL_SIZE),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
    }),
  ],
  providers: [ChangeFeed],
  exports: [ChangeFeed],
})
export class DatabaseModule {}
