import { Module } from '@nestjs/common';
import { AccessRulesModule } from '../../approvals/access-rules/access-rules.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { ConnectionsModule } from '../../connections/registry/connections.module';
import { GuardrailsModule } from '../../guardrails/guardrails.module';
import { SessionReadingModule } from '../../sessions/reading/session-reading.module';
import { DryRunController } from './dry-run.controller';
import { DryRunService } from './dry-run.service';
import { EffectivePolicyController } from './effective-policy.controller';
import { EffectivePolicyService } from './effective-policy.service';
import { PolicyDecisions } from './policy-decisions';
import { ScriptCheckController } from './script-check.controller';
import { ScriptCheckService } from './script-check.service';

/** Shows the combined effect of the rules of all modules. */
@Module({
  imports: [AccessRulesModule, AuthModule, ConnectionsModule, GuardrailsModule, SessionReadingModule],
  controllers: [DryRunController, EffectivePolicyController, ScriptCheckController],
  providers: [DryRunService, EffectivePolicyService, PolicyDecisions, ScriptCheckService],
})
export class PolicyModule {}
