import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module';
import { AuditLine } from './audit-log.entity';
import { AuditList } from './audit-list';
import { AuditController } from './audit.controller';
import { AuditMiddleware } from './audit.middleware';
import { AuditService } from './audit.service';
import { NameChanges } from './name-changes';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([AuditLine])],
  controllers: [AuditController],
  providers: [AuditList, AuditService, AuditMiddleware, NameChanges],
  exports: [AuditService],
})
export class AuditModule {}
