import { Module } from '@nestjs/common';
import { ExecController } from './exec.controller';
import { ExecService } from './exec.service';
import { ReachController } from './reach.controller';
import { ReachService } from './reach.service';
import { ScriptLimits } from './script-limits';

/** Needs the gate, which the app wires globally. */
@Module({
  controllers: [ExecController, ReachController],
  providers: [ExecService, ReachService, ScriptLimits],
})
export class ExecModule {}
