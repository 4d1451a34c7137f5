import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttributesModule } from '../attributes/attributes.module';
import { DatabaseModule } from '../database/database.module';
import { Guardrails } from '../gate/ports/guardrails';
import { AnalysisPool } from './analysis-pool';
import { CompiledGuardrails } from './compiled-guardrails';
import { GuardrailBindings } from './guardrail-bindings';
import { GuardrailHandlers } from './guardrail-handlers';
import { GuardrailConnection, GuardrailRule, GuardrailStats } from './guardrail.entity';
import { GuardrailsController } from './guardrails.controller';
import { GuardrailsService } from './guardrails.service';
import { RememberedSets } from './remembered-sets';
import { RuleInspector } from './rule-inspector';
import { MetricsModule } from '../metrics/metrics.module';
import { RuleTally } from './rule-tally';
import { StatementReader } from './statement-reader';

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
