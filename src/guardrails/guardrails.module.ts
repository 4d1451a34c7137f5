import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttributesModule } from '../attributes/attributes.module';
import { Guardrails } from '../gate/ports/guardrails';
import { CompiledGuardrails } from './compiled-guardrails';
import { GuardrailBindings } from './guardrail-bindings';
import { GuardrailConnection, GuardrailRule } from './guardrail.entity';
import { GuardrailsController } from './guardrails.controller';
import { GuardrailsService } from './guardrails.service';
import { RuleInspector } from './rule-inspector';

@Module({
  imports: [AttributesModule, TypeOrmModule.forFeature([GuardrailRule, GuardrailConnection])],
  controllers: [GuardrailsController],
  providers: [
    GuardrailsService,
    GuardrailBindings,
    RuleInspector,
    { provide: Guardrails, useClass: CompiledGuardrails },
  ],
  exports: [GuardrailsService, GuardrailBindings, Guardrails, RuleInspector],
})
export class GuardrailsModule {}
