import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UNIQUE_VIOLATION, brokenConstraint } from '../database/constraint';
import { GuardrailBindings } from '../guardrails/guardrail-bindings';
import { AppError } from '../kernel/app-error';
import { type ConnectionBody, type ConnectionView, connectionView } from './connection.dto';
import { Connection } from './connection.entity';
import { faultsOf, kindOf } from './connection-kinds';
import { SecretBox } from './secret-box';

@Injectable()
export class ConnectionsService {
  constructor(
    @InjectRepository(Connection) private readonly connections: Repository<Connection>,
    private readonly bindings: GuardrailBindings,
    private readonly box: SecretBox,
  ) {}

  async create(orgId: string, body: ConnectionBody): Promise<ConnectionView> {
    const secret = this.checkedSecret(body);
    const id = randomUUID();
    const connection = this.connections.create({
      id,
      orgId,
      name: body.name,
      type: body.type,
      subtype: body.subtype,
      description: body.description ?? '',
      secret: this.box.seal(secret, secretContext(orgId, id)),
      secretNames: Object.keys(secret).sort(),
      tags: body.connection_tags ?? {},
      attributes: [...new Set(body.attributes)],
      accessGroups: [...new Set(body.access_groups)],
      accessModeConnect: body.access_mode_connect ?? 'enabled',
      accessModeExec: body.access_mode_exec ?? 'enabled',
      accessModeRunbooks: body.access_mode_runbooks ?? 'enabled',
      accessSchema: body.access_schema ?? 'enabled',
      resourceName: body.resource_name ?? '',
      status: 'online',
      managedBy: null,
    });
    const rules = [...new Set(body.guardrail_rules)];
    try {
      await this.connections.manager.transaction(async (db) => {
        await db.insert(Connection, connection);
        await this.bindings.bind(db, orgId, id, rules);
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'connections_name_unique') throw error;
      throw new AppError('conflict', `a connection named ${body.name} exists already`);
    }
    return connectionView(connection, rules);
  }

  async findByName(orgId: string, name: string): Promise<Connection | null> {
    return this.connections.findOneBy({ orgId, name });
  }

  /** Puts another secret in place of the one that is stored. */
  async replaceSecret(connection: Connection, secret: Readonly<Record<string, string>>): Promise<void> {
    const { orgId, id } = connection;
    await this.connections.update(
      { orgId, id },
      { secret: this.box.seal(secret, secretContext(orgId, id)), secretNames: Object.keys(secret).sort() },
    );
  }

  openSecret(connection: Connection): Record<string, string> {
    return this.box.open(connection.secret, secretContext(connection.orgId, connection.id));
  }

  private checkedSecret(body: ConnectionBody): Record<string, string> {
    const kind = kindOf(body.type, body.subtype);
    if (kind === undefined) {
      throw new AppError('unprocessable', `type ${body.type} has no subtype ${body.subtype}`);
    }
    const secret = plainSecret(body.secret);
    const faults = faultsOf(kind, secret);
    if (faults.length > 0) throw new AppError('unprocessable', faults.join('; '));
    return secret;
  }
}

/** Authenticated with the sealed bytes: a secret copied into another row does not open there. */
function secretContext(orgId: string, connectionId: string): string {
  return `connection:${orgId}:${connectionId}`;
}

const ENVVAR = 'envvar:';

/** `envvar:NAME` carries base64, as the reference system's clients send it; a bare `NAME` carries plain text. */
function plainSecret(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const secret: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw new AppError('malformed', `secret.${key} must be a string`);
    const isEncoded = key.startsWith(ENVVAR);
    const name = isEncoded ? key.slice(ENVVAR.length) : key;
    const plain = isEncoded ? decoded(value) : value;
    if (plain === undefined)
      throw new AppError('unprocessable', `secret.${key} must be the base64 of a UTF-8 text`);
    if (plain.includes('\0'))
      throw new AppError('unprocessable', `secret.${key} must not contain NUL characters`);
    if (Object.hasOwn(secret, name)) throw new AppError('unprocessable', `secret.${name} is given twice`);
    if (plain !== '') secret[name] = plain;
  }
  return secret;
}

/** Strictly: whoever sends plain text by mistake would find out only when the target refuses it. */
function decoded(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString();
  const unpadded = (encoded: string): string => encoded.replaceAll(/[\s=]/g, '');
  return unpadded(Buffer.from(text).toString('base64')) === unpadded(base64) ? text : undefined;
}
