import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../database/database.module';
import { AuditLine } from './audit-log.entity';
import { AuditLines } from './audit-lines';
import { AuditList } from './audit-list';
import { AuditController } from './audit.controller';
import { AuditMiddleware } from './audit.middleware';
import { AuditService } from './audit.service';
import { NameChanges } from './name-changes';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([AuditLine])],
  controllers: [AuditController],
  providers: [AuditLines, AuditList, AuditService, AuditMiddleware, NameChanges],
  exports: [AuditLines, AuditService],
})
export class AuditModule {}
