import { Body, Controller, Get, Header, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { type AuditedRead, Auditing, type Change, Changing } from '../../../platform/http/routes/change';
import { CreatesAt } from '../../../platform/http/routes/created';
import { ApiUuidParam, UuidParam } from '../../../platform/http/routes/uuid-param';
import { sendFile } from '../session/send-file';
import { DownloadLinkBody, DownloadLinkView, DownloadQuery } from './download-link.dto';
import { DownloadLinksService } from './download-links.service';
import { intentOf } from './intent';

@ApiTags('Sessions')
@Controller('sessions')
export class DownloadLinksController {
  constructor(private readonly links: DownloadLinksService) {}

  @Post(':session_id/download-links')
  @Requires('signed-in')
  @CreatesAt('download_url', { isUrl: true })
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createDownloadLink',
    summary: 'Create a link for a browser to download the recording, once, within five minutes',
  })
  @ApiUuidParam('session_id')
  @ApiCreatedResponse({ type: DownloadLinkView })
  @ApiErrors(400, 403, 404, 413, 422)
  create(
    @Changing() change: Change,
    @UuidParam('session_id') id: string,
    @Body() body: DownloadLinkBody,
  ): Promise<DownloadLinkView> {
    return this.links.create(change, id, body);
  }

  @Get(':session_id/download')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'downloadSession',
    summary: 'Download the file of a download link, once',
  })
  @ApiUuidParam('session_id')
  @ApiOkResponse({
    description: 'The recording, as from `GET /sessions/{session_id}` with the same options.',
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
      'text/plain': { schema: { type: 'string' } },
    },
  })
  @ApiErrors(400, 404, 429, 500, 503)
  async download(
    @Auditing() read: AuditedRead,
    @UuidParam('session_id') sessionId: string,
    @Query() { token }: DownloadQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const link = { sessionId, token, address: request.ip ?? '', intent: intentOf(request) };
    await sendFile(response, await this.links.open(read, link));
  }
}
