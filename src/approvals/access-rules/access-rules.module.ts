import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttributesModule } from '../../connections/attributes/attributes.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { ConnectionsModule } from '../../connections/registry/connections.module';
import { AccessDecider } from '../../gate/ports/access-decider';
import { DatabaseModule } from '../../platform/database/database.module';
import { AccessRuleHandlers } from './access-rule-handlers';
import { AccessRule } from './access-rule.entity';
import { AccessRulesController } from './access-rules.controller';
import { AccessRulesService } from './access-rules.service';
import { AskedRules } from './asked-rules';
import { RuleAccessDecider } from './rule-access-decider';
import { RuleWarnings } from './rule-warnings';

@Module({
  imports: [
    AttributesModule,
    AuthModule,
    ConnectionsModule,
    DatabaseModule,
    TypeOrmModule.forFeature([AccessRule]),
  ],
  controllers: [AccessRulesController],
  providers: [
    AccessRuleHandlers,
    AccessRulesService,
    AskedRules,
    RuleWarnings,
    { provide: AccessDecider, useClass: RuleAccessDecider },
  ],
  exports: [AccessDecider, AccessRulesService],
})
export class AccessRulesModule {}
