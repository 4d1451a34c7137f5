import { type TestDatabase, freshDatabase } from './database';
import type { TestGateway } from './gateway';

/** A second real PostgreSQL database, as a target behind the gateway. */
export async function freshTarget(): Promise<TestDatabase> {
  const target = await freshDatabase('empty');
  await target.query(`
    CREATE TABLE customers (id int PRIMARY KEY, name text, email text);
    INSERT INTO customers VALUES (1, 'Grace', 'grace@example.com'), (2, 'Edsger', NULL);
  `);
  return target;
}

/** The `secret` of a connection to that database. */
export function secretOf(target: Pick<TestDatabase, 'url'>): Record<string, string> {
  const url = new URL(target.url);
  return {
    HOST: url.hostname,
    PORT: url.port,
    USER: decodeURIComponent(url.username),
    PASS: decodeURIComponent(url.password),
    DB: url.pathname.slice(1),
    SSLMODE: 'disable',
  };
}

/** Creates a connection to the target. Returns its id. */
export async function connect(
  gateway: TestGateway,
  target: TestDatabase,
  name: string,
  more: object = {},
): Promise<string> {
  const answer = await gateway.call('admin', 'POST', '/connections', {
    name,
    type: 'database',
    subtype: 'postgres',
    secret: secretOf(target),
    ...more,
  });
  if (answer.status !== 201) throw new Error(`the connection was not created: ${answer.text}`);
  return answer.body.id as string;
}
