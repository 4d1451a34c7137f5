import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { UNIQUE_VIOLATION, brokenConstraint } from '../database/constraint';
import type { Change } from '../http/change';
import { quoted } from '../http/fault-message';
import { type PageQuery, offsetOf, pageOf, sizeOf } from '../http/page';
import { type ExpectedVersion, requireUnchanged } from '../http/versions';
import { AppError } from '../kernel/app-error';
import {
  type AttributeBody,
  type AttributeChangeBody,
  type AttributePage,
  type AttributeView,
  type Bearers,
  attributeView,
} from './attribute.dto';
import { Attribute } from './attribute.entity';

const TYPE = 'attributes';

/**
 * Attributes come into being when something is first labelled with them, or by themselves. What bears a label
 * is kept with the bearer, so removing one takes it off connections and rules of all kinds.
 */
@Injectable()
export class AttributesService {
  constructor(@InjectRepository(Attribute) private readonly attributes: Repository<Attribute>) {}

  /** The door to other modules: makes the attributes that something is being labelled with. */
  async ensure(db: EntityManager, orgId: string, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await db.query(
      `INSERT INTO attributes (org_id, name) SELECT $1, name FROM unnest($2::text[]) AS name ORDER BY name
       ON CONFLICT ON CONSTRAINT attributes_pk DO NOTHING`,
      [orgId, names],
    );
  }

  async list(orgId: string, query: PageQuery): Promise<AttributePage> {
    const [attributes, total] = await this.attributes.findAndCount({
      where: { orgId },
      order: { createdAt: 'DESC', name: 'ASC' },
      skip: offsetOf(query),
      take: sizeOf(query),
    });
    const bearers = await bearersOf(this.attributes.manager, orgId, attributes);
    const views = attributes.map((attribute) => attributeView(attribute, bearers(attribute.name)));
    return pageOf(query, views, total);
  }

  async get(orgId: string, name: string, db = this.attributes.manager): Promise<AttributeView> {
    const attribute = await db.findOneBy(Attribute, { orgId, name });
    if (attribute === null) throw notFound();
    return this.view(db, attribute);
  }

  async create(change: Change, body: AttributeBody): Promise<AttributeView> {
    const { orgId } = change.actor;
    try {
      return await this.attributes.manager.transaction(async (db) => {
        await attach(db, orgId, body.name, body.connection_names ?? []);
        await db.insert(Attribute, { orgId, name: body.name, description: body.description ?? '' });
        const attribute = await db.findOneByOrFail(Attribute, { orgId, name: body.name });
        const after = await this.view(db, attribute);
        requireBearers(after, body);
        await change.record(db, { type: TYPE, id: body.name, action: 'create', before: null, after });
        return after;
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'attributes_pk') throw error;
      throw new AppError('conflict', `an attribute named ${body.name} exists already`);
    }
  }

  async update(
    change: Change,
    name: string,
    expected: ExpectedVersion,
    body: AttributeChangeBody,
  ): Promise<AttributeView> {
    return this.attributes.manager.transaction(async (db) => {
      const attribute = await this.lock(db, change.actor.orgId, name);
      const before = await this.view(db, attribute);
      requireUnchanged(before, expected);
      requireBearers(before, body);
      attribute.description = body.description ?? '';
      const after = await this.view(db, await db.save(attribute));
      await change.record(db, { type: TYPE, id: name, action: 'update', before, after });
      return after;
    });
  }

  async remove(change: Change, name: string, expected: ExpectedVersion): Promise<void> {
    const { orgId } = change.actor;
    await this.attributes.manager.transaction(async (db) => {
      const before = await this.get(orgId, name, db);
      requireUnchanged(before, expected);
      await refuseWhileSoleTarget(db, orgId, name);
      // In the order of locks (src/database/README.md): bearers come before their attributes, access request rules after.
      await takeFrom(db, 'connections', orgId, name);
      await takeFrom(db, 'guardrail_rules', orgId, name);
      const { description, updatedAt } = await this.lock(db, orgId, name, 'pessimistic_write');
      // It was read before it was locked.
      requireUnchanged({ ...before, description, updated_at: updatedAt }, expected);
      await takeFrom(db, 'access_request_rules', orgId, name);
      await db.delete(Attribute, { orgId, name });
      await change.record(db, { type: TYPE, id: name, action: 'delete', before, after: null });
    });
  }

  private async lock(
    db: EntityManager,
    orgId: string,
    name: string,
    mode: 'for_no_key_update' | 'pessimistic_write' = 'for_no_key_update',
  ): Promise<Attribute> {
    const attribute = await db.findOne(Attribute, { where: { orgId, name }, lock: { mode } });
    if (attribute === null) throw notFound();
    return attribute;
  }

  private async view(db: EntityManager, attribute: Attribute): Promise<AttributeView> {
    const bearers = await bearersOf(db, attribute.orgId, [attribute]);
    return attributeView(attribute, bearers(attribute.name));
  }
}

/** An access request rule must cover something; a rule that would silently cover nothing is the admin's to decide. */
async function refuseWhileSoleTarget(db: EntityManager, orgId: string, name: string): Promise<void> {
  const [rule] = await db.query<{ name: string }[]>(
    `SELECT name FROM access_request_rules
     WHERE org_id = $1 AND attributes = ARRAY[$2] AND cardinality(connection_names) = 0 LIMIT 1`,
    [orgId, name],
  );
  if (rule === undefined) return;
  throw new AppError('conflict', `the access request rule ${rule.name} covers nothing but this attribute`);
}

/** Locked in the order of their ids, as everywhere. */
async function takeFrom(
  db: EntityManager,
  table: 'connections' | 'guardrail_rules' | 'access_request_rules',
  orgId: string,
  name: string,
): Promise<void> {
  await db.query(
    `UPDATE ${table} SET attributes = array_remove(attributes, $2), version = version + 1, updated_at = now()
     WHERE id = ANY (ARRAY(SELECT id FROM ${table} WHERE org_id = $1 AND attributes @> ARRAY[$2]
       ORDER BY id FOR NO KEY UPDATE))`,
    [orgId, name],
  );
}

/** Puts a new attribute on connections, in the order of their ids: as all do who lock several. */
async function attach(
  db: EntityManager,
  orgId: string,
  attribute: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const found = await db.query<{ id: string; name: string }[]>(
    'SELECT id, name FROM connections WHERE org_id = $1 AND name = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
    [orgId, names],
  );
  const missing = names.filter((name) => !found.some((connection) => connection.name === name));
  if (missing.length > 0)
    throw new AppError('unprocessable', `there is no connection named ${quoted(missing[0] ?? '')}`);
  await db.query(
    `UPDATE connections SET attributes = array_append(attributes, $3), version = version + 1, updated_at = now()
     WHERE org_id = $1 AND id = ANY ($2) AND NOT attributes @> ARRAY[$3]`,
    [orgId, found.map(({ id }) => id), attribute],
  );
}

/** @throws AppError `unprocessable` when the body names other bearers than there are. */
function requireBearers(view: AttributeView, body: AttributeChangeBody): void {
  for (const field of ['connection_names', 'guardrail_names', 'access_rule_names'] as const) {
    const given = body[field];
    if (given === undefined || given === null) continue;
    const [is, shall] = [view[field], given].map((names) => [...new Set(names)].sort().join('\n'));
    if (is !== shall)
      throw new AppError(
        'unprocessable',
        `${field} must be what bears the attribute already: set the attribute there`,
      );
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no attribute with this name');
}

/** Who bears which of these attributes, in one query. */
async function bearersOf(
  db: EntityManager,
  orgId: string,
  attributes: readonly Attribute[],
): Promise<(name: string) => Bearers> {
  const rows = await db.query<{ attribute: string; kind: keyof Bearers; names: string[] }[]>(
    `SELECT attribute, kind, array_agg(name ORDER BY name) AS names FROM (
       SELECT 'connections' AS kind, name, unnest(attributes) AS attribute FROM connections
         WHERE org_id = $1 AND attributes && $2
       UNION ALL SELECT 'guardrails', name, unnest(attributes) FROM guardrail_rules
         WHERE org_id = $1 AND attributes && $2
       UNION ALL SELECT 'rules', name, unnest(attributes) FROM access_request_rules
         WHERE org_id = $1 AND attributes && $2) AS bearer
     WHERE attribute = ANY ($2) GROUP BY attribute, kind`,
    [orgId, attributes.map((attribute) => attribute.name)],
  );
  return (name) => {
    const of = (kind: keyof Bearers) =>
      rows.find((row) => row.attribute === name && row.kind === kind)?.names ?? [];
    return { connections: of('connections'), guardrails: of('guardrails'), rules: of('rules') };
  };
}
