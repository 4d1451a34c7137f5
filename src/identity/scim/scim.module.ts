import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { GroupRequests } from './endpoint/group-requests';
import { ScimAuthentication } from './endpoint/scim-authentication';
import { ScimEndpoint } from './endpoint/scim-endpoint';
import { UserRequests } from './endpoint/user-requests';
import { GroupMembers } from './resources/group-members';
import { Provisioning } from './resources/provisioning';
import { ScimGroup } from './resources/scim-group.entity';
import { ScimGroups } from './resources/scim-groups';
import { ScimUser } from './resources/scim-user.entity';
import { ScimUsers } from './resources/scim-users';
import { ScimToken } from './tokens/scim-token.entity';
import { ScimTokens } from './tokens/scim-tokens';
import { ScimTokensController } from './tokens/scim-tokens.controller';

@Module({
  imports: [TypeOrmModule.forFeature([ScimGroup, ScimToken, ScimUser]), AuthModule, DatabaseModule],
  controllers: [ScimTokensController],
  providers: [
    GroupMembers,
    GroupRequests,
    Provisioning,
    ScimAuthentication,
    ScimEndpoint,
    ScimGroups,
    ScimTokens,
    ScimUsers,
    UserRequests,
  ],
})
export class ScimModule {}
