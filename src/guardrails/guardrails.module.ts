import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Guardrails } from '../gate/ports/guardrails';
import { CompiledGuardrails } from './compiled-guardrails';
import { GuardrailBindings } from './guardrail-bindings';
import { GuardrailConnection, GuardrailRule } from './guardrail.entity';
import { GuardrailsController } from './guardrails.controller';
import { GuardrailsService } from './guardrails.service';

@Module({
  imports: [TypeOrmModule.forFeature([GuardrailRule, GuardrailConnection])],
  controllers: [GuardrailsController],
  providers: [GuardrailsService, GuardrailBindings, { provide: Guardrails, useClass: CompiledGuardrails }],
  exports: [GuardrailsService, GuardrailBindings, Guardrails],
})
export class GuardrailsModule {}
