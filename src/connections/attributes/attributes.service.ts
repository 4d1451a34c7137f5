import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import type { Change } from '../../platform/http/routes/change';
import { type PageQuery, pageOffset, pageOf, sizeOf } from '../../platform/http/dto/page';
import { type ExpectedVersion, requireUnchanged } from '../../platform/http/routes/versions';
import { AppError } from '../../kernel/app-error';
import {
  type AttributeBody,
  type AttributeChangeBody,
  type AttributePage,
  type AttributeView,
  type Bearers,
  attributeView,
} from './attribute.dto';
import { attributeBearers, attributeCreated, attributeDeleted, attributeDeleting } from './attribute-events';
import { Attribute } from './attribute.entity';

const TYPE = 'attributes';

/**
 * Attributes are created explicitly, or when a connection or rule first gets one. Connections and rules store
 * their attributes in their own rows, so the deletion of an attribute removes it from those rows too.
 */
@Injectable()
export class AttributesService {
  constructor(
    @InjectRepository(Attribute) private readonly attributes: Repository<Attribute>,
    private readonly events: DomainEvents,
  ) {}

  /** Creates an attribute for each name that has none yet. */
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
      skip: pageOffset(query),
      take: sizeOf(query),
    });
    const bearers = await this.bearersOf(this.attributes.manager, orgId, attributes);
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
        const connectionNames = body.connection_names ?? [];
        await this.events.publish(db, attributeCreated, { orgId, name: body.name, connectionNames });
        await db.insert(Attribute, { orgId, name: body.name, description: body.description ?? '' });
        const attribute = await db.findOneByOrFail(Attribute, { orgId, name: body.name });
        const after = await this.view(db, attribute);
        requireBearers(after, body);
        await change.record(db, { type: TYPE, id: body.name, action: 'create', before: null, after });
        return after;
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'attributes_pk') throw error;
      throw new AppError('conflict', `an attribute named ${body.name} already exists`);
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
      await this.events.publish(db, attributeDeleting, { orgId, name });
      const { description, updatedAt } = await this.lock(db, orgId, name, 'pessimistic_write');
      // Checked again, because the view was read before the row was locked.
      requireUnchanged({ ...before, description, updated_at: updatedAt }, expected);
      await this.events.publish(db, attributeDeleted, { orgId, name });
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

  /** Returns a function from an attribute's name to the names of the connections and rules that have it. */
  private async bearersOf(
    db: EntityManager,
    orgId: string,
    attributes: readonly Attribute[],
  ): Promise<(name: string) => Bearers> {
    const asked = { orgId, attributes: attributes.map(({ name }) => name) };
    const [connections, guardrails, rules] = await this.events.publish(db, attributeBearers, asked);
    return (name) => ({
      connections: [...(connections?.get(name) ?? [])],
      guardrails: [...(guardrails?.get(name) ?? [])],
      rules: [...(rules?.get(name) ?? [])],
    });
  }

  private async view(db: EntityManager, attribute: Attribute): Promise<AttributeView> {
    const bearers = await this.bearersOf(db, attribute.orgId, [attribute]);
    return attributeView(attribute, bearers(attribute.name));
  }
}

/** @throws AppError `unprocessable` if a list in the body differs from the names that have the attribute. */
function requireBearers(view: AttributeView, body: AttributeChangeBody): void {
  for (const field of ['connection_names', 'guardrail_names', 'access_rule_names'] as const) {
    const given = body[field];
    if (given === undefined || given === null) continue;
    const [is, shall] = [view[field], given].map((names) => [...new Set(names)].sort().join('\n'));
    if (is !== shall)
      throw new AppError(
        'unprocessable',
        `${field} must list what already has the attribute; set the attribute on those instead`,
      );
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no attribute with this name');
}
