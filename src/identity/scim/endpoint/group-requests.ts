import { Injectable } from '@nestjs/common';
import { readPatch } from '../patch/patch-request';
import { GroupMembers } from '../resources/group-members';
import { readListQuery } from '../resources/list-query';
import { projected, readProjection, shows } from '../resources/projection';
import { representGroup } from '../resources/represent';
import type { ScimGroup } from '../resources/scim-group.entity';
import { ScimGroups } from '../resources/scim-groups';
import { hasTag } from '../resources/versions';
import { GROUP_TYPE } from '../schema/group-type';
import type { ScimAnswer } from './answer';
import { type ResourceRequests, type ScimRequest, type ScimWrite, listResponse } from './resource-requests';

/**
 * Maximum number of members of all groups on a page with several groups. A page ends before a group whose
 * members do not fit; RFC 7644 allows pages that are not full.
 */
const MEMBERS_PER_PAGE = 20_000;

/** Handles the requests on `/Groups`. */
@Injectable()
export class GroupRequests implements ResourceRequests {
  constructor(
    private readonly groups: ScimGroups,
    private readonly members: GroupMembers,
  ) {}

  async list(request: ScimRequest): Promise<ScimAnswer> {
    const query = readListQuery(request.query, GROUP_TYPE);
    const projection = readProjection(request.query, GROUP_TYPE);
    const { rows, total } = await this.groups.list(request.orgId, query);
    const withMembers = shows(projection, 'members');
    const page = withMembers ? await this.bounded(rows) : rows;
    const members = withMembers ? await this.members.of(page.map(({ id }) => id)) : undefined;
    const shown = page.map((group) =>
      projected(representGroup(group, members?.get(group.id), request.base), projection),
    );
    return listResponse(shown, total, query.startIndex);
  }

  async get(request: ScimRequest, id: string): Promise<ScimAnswer> {
    const group = await this.groups.get(request.orgId, id);
    if (request.ifNoneMatch !== undefined && hasTag(request.ifNoneMatch, group.version))
      return { status: 304, version: group.version };
    return this.answer(request, group, 200);
  }

  async create(request: ScimWrite): Promise<ScimAnswer> {
    const group = await this.groups.create(request.change, request.body);
    return this.answer(request, group, 201);
  }

  async replace(request: ScimWrite, id: string): Promise<ScimAnswer> {
    const group = await this.groups.replace(request.change, id, request.ifMatch, request.body);
    return this.answer(request, group, 200);
  }

  async patch(request: ScimWrite, id: string): Promise<ScimAnswer> {
    const group = await this.groups.patch(request.change, id, request.ifMatch, readPatch(request.body));
    return this.answer(request, group, 200);
  }

  async remove(request: ScimWrite, id: string): Promise<ScimAnswer> {
    await this.groups.remove(request.change, id, request.ifMatch);
    return { status: 204 };
  }

  private async answer(request: ScimRequest, group: ScimGroup, status: 200 | 201): Promise<ScimAnswer> {
    const projection = readProjection(request.query, GROUP_TYPE);
    const members = shows(projection, 'members') ? await this.members.of([group.id]) : undefined;
    const body = projected(representGroup(group, members?.get(group.id), request.base), projection);
    const location = `${request.base}/Groups/${group.id}`;
    return { status, body, version: group.version, ...(status === 201 ? { location } : {}) };
  }

  private async bounded(groups: readonly ScimGroup[]): Promise<readonly ScimGroup[]> {
    const counts = await this.members.counts(groups.map(({ id }) => id));
    let total = 0;
    const end = groups.findIndex(({ id }) => (total += counts.get(id) ?? 0) > MEMBERS_PER_PAGE);
    return end === -1 ? groups : groups.slice(0, Math.max(end, 1));
  }
}
