import { Injectable } from '@nestjs/common';
import {
  Between,
  type EntityManager,
  type FindOptionsWhere,
  LessThanOrEqual,
  MoreThanOrEqual,
} from 'typeorm';
import { ReplicaReads } from '../database/pools/replica';
import { pageOffset, pageOf, sizeOf } from '../http/dto/page';
import { AuditLine } from './audit-log.entity';
import { type AuditPage, type AuditQuery, auditView } from './audit.dto';

/** Pages of the audit log, newest first. */
@Injectable()
export class AuditList {
  constructor(private readonly replica: ReplicaReads) {}

  page(orgId: string, query: AuditQuery): Promise<AuditPage> {
    return this.replica.read((db) => readPage(db, orgId, query));
  }
}

async function readPage(db: EntityManager, orgId: string, query: AuditQuery): Promise<AuditPage> {
  const where = filterOf(orgId, query);
  const order = { seq: 'DESC' } as const;
  const [offset, size] = [pageOffset(query), sizeOf(query)];
  if (where !== undefined) {
    const [lines, total] = await db.findAndCount(AuditLine, { where, order, skip: offset, take: size });
    return pageOf(query, lines.map(auditView), total);
  }
  // Line numbers have no gaps. So without a filter, the total and each page follow from the last number.
  const last = await db.findOne(AuditLine, { select: { orgId: true, seq: true }, where: { orgId }, order });
  const total = last?.seq ?? 0;
  const [from, to] = [total - offset - size + 1, total - offset];
  const lines = await db.find(AuditLine, { where: { orgId, seq: Between(from, to) }, order });
  return pageOf(query, lines.map(auditView), total);
}

/** Conditions for the given filters; undefined if no filter is given. */
function filterOf(orgId: string, query: AuditQuery): FindOptionsWhere<AuditLine>[] | undefined {
  const { resource_type, action, outcome, request_id, actor } = query;
  const narrow: FindOptionsWhere<AuditLine> = {
    ...(resource_type === undefined ? {} : { resourceType: resource_type }),
    ...(action === undefined ? {} : { action }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(request_id === undefined ? {} : { requestId: request_id }),
    ...timeOf(query),
  };
  if (actor !== undefined) {
    return [
      { ...narrow, orgId, actorId: actor },
      { ...narrow, orgId, actorEmail: actor },
    ];
  }
  return Object.keys(narrow).length === 0 ? undefined : [{ ...narrow, orgId }];
}

function timeOf({ created_after, created_before }: AuditQuery): FindOptionsWhere<AuditLine> {
  if (created_after !== undefined && created_before !== undefined) {
    return { createdAt: Between(new Date(created_after), new Date(created_before)) };
  }
  if (created_after !== undefined) return { createdAt: MoreThanOrEqual(new Date(created_after)) };
  return created_before === undefined ? {} : { createdAt: LessThanOrEqual(new Date(created_before)) };
}
