import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLine } from './audit-log.entity';
import { AuditController } from './audit.controller';
import { AuditMiddleware } from './audit.middleware';
import { AuditService } from './audit.service';
import { NameChanges } from './name-changes';

@Module({
  imports: [TypeOrmModule.forFeature([AuditLine])],
  controllers: [AuditController],
  providers: [AuditService, AuditMiddleware, NameChanges],
  exports: [AuditService],
})
export class AuditModule {}
