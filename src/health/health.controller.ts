import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
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
  constructor(private readonly database: DataSource) {}

  @Get('healthz')
  @Public()
  @ApiOperation({ operationId: 'getHealth', summary: 'Whether the process answers' })
  @ApiOkResponse({ type: HealthView })
  @ApiErrors(500)
  health(): HealthView {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Whether requests can be served: database and migrations',
  })
  @ApiOkResponse({ type: HealthView })
  @ApiErrors(500, 503)
  async ready(): Promise<HealthView> {
    const pending = await this.database.showMigrations().catch((cause: unknown) => {
      throw new AppError('unavailable', 'the database cannot be reached', { cause, retryAfterSeconds: 5 });
    });
    if (pending) throw new AppError('unavailable', 'the database schema is not up to date');
    return { status: 'ok' };
  }
}
