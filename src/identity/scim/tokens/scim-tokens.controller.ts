import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal';
import { PageQuery } from '../../../platform/http/dto/page';
import { Actor } from '../../../platform/http/routes/access';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { UuidParam } from '../../../platform/http/routes/uuid-param';
import { type ExpectedVersion, IfMatch } from '../../../platform/http/routes/versions';
import { SecretRoutes } from '../../issued-secrets/secret-routes';
import { CreatedScimTokenView, ScimTokenBody, ScimTokenPage, ScimTokenView } from './scim-token.dto';
import { ScimTokens } from './scim-tokens';

const routes = new SecretRoutes({
  operation: 'ScimToken',
  noun: 'SCIM token',
  article: 'a',
  view: ScimTokenView,
  created: CreatedScimTokenView,
  page: ScimTokenPage,
});

@ApiTags('User Management')
@Controller('scim-tokens')
export class ScimTokensController {
  constructor(private readonly tokens: ScimTokens) {}

  @routes.List()
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<ScimTokenPage> {
    return this.tokens.list(actor.orgId, query);
  }

  @routes.Read()
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<ScimTokenView> {
    return this.tokens.get(actor.orgId, id);
  }

  @routes.Create()
  create(@Changing() change: Change, @Body() body: ScimTokenBody): Promise<CreatedScimTokenView> {
    return this.tokens.create(change, body);
  }

  @routes.Revoke()
  revoke(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.tokens.revoke(change, id, expected);
  }
}
