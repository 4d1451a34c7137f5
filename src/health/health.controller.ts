import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { migrations } from '../database/migrations';
import { Gate } from '../gate/gate';
import { Public } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { AppError } from '../kernel/app-error';

export class HealthView {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

@ApiTags('Server')
@Controller()
export class HealthController {
  constructor(
    private readonly database: DataSource,
    private readonly gate: Gate,
  ) {}

  @Get('healthz')
  @Public()
  @ApiOperation({ operationId: 'getHealth', summary: 'Check that the process answers' })
  @ApiOkResponse({ type: HealthView })
  @ApiErrors(500)
  health(): HealthView {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check that requests can be served: database, migrations, and the journal of recordings',
  })
  @ApiOkResponse({ type: HealthView })
  @ApiErrors(500, 503)
  async ready(): Promise<HealthView> {
    const known = migrations.map((migration) => migration.name);
    const done = await this.database
      .query<{ name: string }[]>('SELECT name FROM schema_migrations WHERE name = ANY ($1)', [known])
      .catch((cause: unknown) => {
        throw new AppError('unavailable', 'the database cannot be reached', { cause, retryAfterSeconds: 5 });
      });
    if (done.length < known.length)
      throw new AppError('unavailable', 'the database schema is not up to date');
    const fault = this.gate.fault();
    if (fault !== undefined) throw new AppError('unavailable', fault, { retryAfterSeconds: 1 });
    return { status: 'ok' };
  }
}
