import { Controller, Delete, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import { NameParam } from '../../platform/http/dto/name-fields';
import { McpConnectView } from './accounts.dto';
import { AccountsService } from './accounts.service';

@ApiTags('Connections')
@Controller('connections/:nameOrID/mcp-connect')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Post()
  @Requires('operator')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'connectMcpAccount',
    summary: 'Get the address at which the caller connects an account at an MCP server, in the browser',
  })
  @ApiOkResponse({ type: McpConnectView })
  @ApiErrors(400, 404, 422)
  connect(@Changing() change: Change, @NameParam('nameOrID') nameOrId: string): Promise<McpConnectView> {
    return this.accounts.connect(change, nameOrId);
  }

  @Delete()
  @Requires('operator')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'disconnectMcpAccount',
    summary: 'Forget the account of the caller, or the shared one, and revoke its tokens',
  })
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 422)
  disconnect(@Changing() change: Change, @NameParam('nameOrID') nameOrId: string): Promise<void> {
    return this.accounts.disconnect(change, nameOrId);
  }
}
