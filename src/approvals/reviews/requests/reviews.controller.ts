import { Body, Controller, Get, HttpCode, HttpStatus, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { ApiUuidParam, UuidParam } from '../../../platform/http/routes/uuid-param';
import type { Principal } from '../../../kernel/principal';
import { EmergencyBody, ReviewBody, SignOffBody } from './review-body.dto';
import { ReviewQuery } from './review-query';
import { RequestView, ReviewPage } from './request.dto';
import { ReviewRequests } from './review-requests';

@ApiTags('Reviews')
@Controller()
export class ReviewsController {
  constructor(private readonly requests: ReviewRequests) {}

  @Get('reviews')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'listReviews',
    summary:
      'List reviews, newest first: the caller’s own and those for a group of the caller; all reviews for admins and auditors',
  })
  @ApiOkResponse({ type: ReviewPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: ReviewQuery): Promise<ReviewPage> {
    return this.requests.list(actor, query);
  }

  @Get('reviews/:id')
  @Requires('signed-in')
  @ApiOperation({ operationId: 'getReview', summary: 'Get a review by its id or the id of its session' })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: RequestView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<RequestView> {
    return this.requests.get(actor, id);
  }

  @Put('reviews/:id')
  @Requires('operator')
  @ApiOperation({
    operationId: 'updateReview',
    summary: 'Approve, reject or revoke a review by its id or the id of its session',
  })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: RequestView })
  @ApiErrors(400, 404, 409, 413, 422)
  update(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @Body() body: ReviewBody,
  ): Promise<RequestView> {
    return this.requests.decide(change, id, body);
  }

  @Post('reviews/:id/emergency')
  @Requires('operator')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'declareEmergency',
    summary: 'Open your own request in an emergency, without waiting for its reviewers',
  })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: RequestView })
  @ApiErrors(400, 404, 409, 413, 422)
  declareEmergency(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @Body() { reason }: EmergencyBody,
  ): Promise<RequestView> {
    return this.requests.declareEmergency(change, id, reason);
  }

  @Post('reviews/:id/sign-off')
  @Requires('operator')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'signOffReview',
    summary: 'Sign a forced approval or an emergency off, after a second look',
  })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: RequestView })
  @ApiErrors(400, 404, 409, 413, 422)
  signOff(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @Body() { comment }: SignOffBody,
  ): Promise<RequestView> {
    return this.requests.signOff(change, id, comment);
  }

  @Put('sessions/:session_id/review')
  @Requires('operator')
  @ApiOperation({
    operationId: 'updateSessionReview',
    summary: 'Approve, reject or revoke the review of a session',
  })
  @ApiUuidParam('session_id')
  @ApiOkResponse({ type: RequestView })
  @ApiErrors(400, 404, 409, 413, 422)
  updateOfSession(
    @Changing() change: Change,
    @UuidParam('session_id') sessionId: string,
    @Body() body: ReviewBody,
  ): Promise<RequestView> {
    return this.requests.decideOfSession(change, sessionId, body);
  }
}
