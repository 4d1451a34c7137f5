import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { AccessDecider } from '../gate/ports/access-decider';
import { AccessRule } from './access-rule.entity';
import { AccessRulesController } from './access-rules.controller';
import { AccessRulesService } from './access-rules.service';
import { RuleAccessDecider } from './rule-access-decider';

@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([AccessRule])],
  controllers: [AccessRulesController],
  providers: [AccessRulesService, { provide: AccessDecider, useClass: RuleAccessDecider }],
  exports: [AccessDecider],
})
export class AccessRulesModule {}
