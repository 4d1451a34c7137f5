import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttributesModule } from '../connections/attributes/attributes.module';
import { DatabaseModule } from '../platform/database/database.module';
import { Guardrails } from '../gate/ports/guardrails';
import { AnalysisPool } from './analysis/analysis-pool';
import { CompiledGuardrails } from './rules/compiled-guardrails';
import { GuardrailBindings } from './rules/guardrail-bindings';
import { GuardrailHandlers } from './rules/guardrail-handlers';
import { GuardrailConnection, GuardrailRule, GuardrailStats } from './rules/guardrail.entity';
import { GuardrailsController } from './rules/guardrails.controller';
import { GuardrailsService } from './rules/guardrails.service';
import { RememberedSets } from './rules/remembered-sets';
import { RuleInspector } from './rules/rule-inspector';
import { MetricsModule } from '../platform/metrics/metrics.module';
import { RuleTally } from './rules/rule-tally';
import { StatementReader } from './engine/statement-reader';

@Module({
  imports: [
    AttributesModule,
    DatabaseModule,
    MetricsModule,
    TypeOrmModule.forFeature([GuardrailRule, GuardrailConnection, GuardrailStats]),
  ],
  controllers: [GuardrailsController],
  providers: [
    GuardrailsService,
    GuardrailBindings,
    GuardrailHandlers,
    RememberedSets,
    RuleInspector,
    RuleTally,
    StatementReader,
    AnalysisPool,
    { provide: Guardrails, useClass: CompiledGuardrails },
  ],
  exports: [GuardrailsService, GuardrailBindings, Guardrails, RuleInspector, StatementReader],
})
export class GuardrailsModule {}
