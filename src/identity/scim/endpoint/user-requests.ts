import { Injectable } from '@nestjs/common';
import { readPatch } from '../patch/patch-request';
import { readListQuery } from '../resources/list-query';
import { projected, readProjection } from '../resources/projection';
import { representUser } from '../resources/represent';
import type { ScimUser } from '../resources/scim-user.entity';
import { ScimUsers } from '../resources/scim-users';
import { hasTag } from '../resources/versions';
import { USER_TYPE } from '../schema/user-type';
import type { ScimAnswer } from './answer';
import { type ResourceRequests, type ScimRequest, type ScimWrite, listResponse } from './resource-requests';

/** Handles the requests on `/Users`. */
@Injectable()
export class UserRequests implements ResourceRequests {
  constructor(private readonly users: ScimUsers) {}

  async list(request: ScimRequest): Promise<ScimAnswer> {
    const query = readListQuery(request.query, USER_TYPE);
    const projection = readProjection(request.query, USER_TYPE);
    const { rows, total } = await this.users.list(request.orgId, query);
    const groups = await this.users.groupsOf(rows.map(({ id }) => id));
    const shown = rows.map((user) =>
      projected(representUser(user, groups.get(user.id) ?? [], request.base), projection),
    );
    return listResponse(shown, total, query.startIndex);
  }

  async get(request: ScimRequest, id: string): Promise<ScimAnswer> {
    const user = await this.users.get(request.orgId, id);
    if (request.ifNoneMatch !== undefined && hasTag(request.ifNoneMatch, user.version))
      return { status: 304, version: user.version };
    return this.answer(request, user, 200);
  }

  async create(request: ScimWrite): Promise<ScimAnswer> {
    const user = await this.users.create(request.change, request.body);
    return this.answer(request, user, 201);
  }

  async replace(request: ScimWrite, id: string): Promise<ScimAnswer> {
    const user = await this.users.replace(request.change, id, request.ifMatch, request.body);
    return this.answer(request, user, 200);
  }

  async patch(request: ScimWrite, id: string): Promise<ScimAnswer> {
    const user = await this.users.patch(request.change, id, request.ifMatch, readPatch(request.body));
    return this.answer(request, user, 200);
  }

  async remove(request: ScimWrite, id: string): Promise<ScimAnswer> {
    await this.users.remove(request.change, id, request.ifMatch);
    return { status: 204 };
  }

  private async answer(request: ScimRequest, user: ScimUser, status: 200 | 201): Promise<ScimAnswer> {
    const projection = readProjection(request.query, USER_TYPE);
    const groups = (await this.users.groupsOf([user.id])).get(user.id) ?? [];
    const body = projected(representUser(user, groups, request.base), projection);
    const location = `${request.base}/Users/${user.id}`;
    return { status, body, version: user.version, ...(status === 201 ? { location } : {}) };
  }
}
