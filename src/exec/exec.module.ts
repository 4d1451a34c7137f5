import { Module } from '@nestjs/common';
import { ExecController } from './exec.controller';
import { ExecService } from './exec.service';
import { PostgresScript } from './postgres-script';

/** Needs the gate, which the app wires globally. */
@Module({ controllers: [ExecController], providers: [ExecService, PostgresScript] })
export class ExecModule {}
