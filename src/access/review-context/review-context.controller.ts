import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { GoneSignal } from '../../platform/http/routes/gone-signal';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import type { Principal } from '../../kernel/principal';
import { ReviewContextView } from './review-context.dto';
import { ReviewContextService } from './review-context.service';

@ApiTags('Reviews')
@Controller('reviews')
export class ReviewContextController {
  constructor(private readonly contexts: ReviewContextService) {}

  @Get(':id/context')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'getReviewContext',
    summary: 'Get what helps to decide a review: what its script does, earlier requests, sessions under it',
  })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: ReviewContextView })
  @ApiErrors(400, 404)
  get(
    @Actor() actor: Principal,
    @UuidParam('id') id: string,
    @GoneSignal() gone: AbortSignal,
  ): Promise<ReviewContextView> {
    return this.contexts.of(actor, id, gone);
  }
}
