import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { Readiness } from './readiness';

export class HealthView {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

export class ReadinessView extends HealthView {
  @ApiProperty({
    type: [String],
    description: 'What works only partly, for example an identity provider that does not answer.',
  })
  warnings!: string[];
}

@ApiTags('Server')
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

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
    description:
      'Each of them is tested. After SIGTERM, 503 for `SHUTDOWN_DELAY_SECONDS`, while requests are still accepted.',
  })
  @ApiOkResponse({ type: ReadinessView })
  @ApiErrors(500, 503)
  async ready(): Promise<ReadinessView> {
    return { status: 'ok', warnings: await this.readiness.warnings() };
  }
}
