import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal';
import { PageQuery } from '../../../platform/http/dto/page';
import { Actor } from '../../../platform/http/routes/access';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { UuidParam } from '../../../platform/http/routes/uuid-param';
import { type ExpectedVersion, IfMatch } from '../../../platform/http/routes/versions';
import { SecretRoutes } from '../../issued-secrets/secret-routes';
import { ApiKeyBody, ApiKeyPage, ApiKeyView, CreatedApiKeyView } from './api-key.dto';
import { ApiKeysService } from './api-keys.service';

const routes = new SecretRoutes({
  operation: 'ApiKey',
  noun: 'API key',
  article: 'an',
  view: ApiKeyView,
  created: CreatedApiKeyView,
  page: ApiKeyPage,
});

@ApiTags('Machine Identities')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @routes.List()
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<ApiKeyPage> {
    return this.keys.list(actor.orgId, query);
  }

  @routes.Read()
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<ApiKeyView> {
    return this.keys.get(actor.orgId, id);
  }

  @routes.Create()
  create(@Changing() change: Change, @Body() body: ApiKeyBody): Promise<CreatedApiKeyView> {
    return this.keys.create(change, body);
  }

  @routes.Revoke()
  revoke(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.keys.revoke(change, id, expected);
  }
}
