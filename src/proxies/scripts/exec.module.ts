import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module';
import { ExecController } from './exec.controller';
import { ExecService } from './exec.service';
import { ReachController } from './reach.controller';
import { ReachService } from './reach.service';
import { ScriptExecutions } from './script-executions';
import { ScriptLimits } from './script-limits';
import { TablesController } from './tables.controller';
import { TablesService } from './tables.service';

@Module({
  imports: [DatabaseModule],
  controllers: [ExecController, ReachController, TablesController],
  providers: [ExecService, ReachService, ScriptExecutions, ScriptLimits, TablesService],
})
export class ExecModule {
  /** @param modules the gate, and the module that implements the port `TargetReachability`. */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: ExecModule, imports: modules };
  }
}
