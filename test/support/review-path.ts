import { developmentUsers } from '../../src/development/users';
import type { DevelopmentUserEntry } from '../../src/development/identity-provider/development-user';
import { as } from './callers';
import { type DataPath, startDataPath } from './data-path';
import { ruleForScripts } from './waiting-scripts';
import { type Answer, type TestGateway, passwordToken } from './gateway';

/** Groups of additional people by name; with `email`, if the address is not `{name}@example.com`. */
export type ReviewPeople = Readonly<
  Record<string, string[] | { readonly groups: string[]; readonly email: string }>
>;

/** A data path with more people than the development identity provider has, and helpers for reviews. */
export interface ReviewPath extends DataPath {
  /** Sends a request as the person with this name. */
  by(name: string, method: string, at: string, body?: unknown, on?: TestGateway): Promise<Answer>;
  /** Votes on a review. `id` is the id of the review or of its session. */
  say(name: string, id: string, body: object, on?: TestGateway): Promise<Answer>;
  /** Creates a rule for scripts with these fields. Returns the name of the rule. */
  rule(rule: object): Promise<string>;
  /** Creates a connection with a rule of its own. Returns the name of the connection. */
  reviewed(rule?: object, connection?: object): Promise<string>;
  /** Starts a script as a person (default: alice). The script waits for its review. */
  ask(connection: string, name?: string): Promise<{ id: string; sessionId: string }>;
  sql<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
}

export async function startReviewPath(people: ReviewPeople = {}): Promise<ReviewPath> {
  const users: DevelopmentUserEntry[] = Object.entries(people).map(([username, entry]) => ({
    username,
    name: username,
    ...(Array.isArray(entry) ? { groups: entry, email: `${username}@example.com` } : entry),
    emailVerified: true,
  }));
  const path = await startDataPath({}, { users: [...developmentUsers, ...users] });
  const { gateway } = path;
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (name: string): Promise<string> => {
    const token = tokens.get(name) ?? passwordToken(gateway.provider.issuer, name);
    tokens.set(name, token);
    return token;
  };
  const by: ReviewPath['by'] = async (name, method, at, body, on = gateway) =>
    as(on, await tokenOf(name), method, at, body);
  // People and their groups become known to the gateway when they sign in.
  for (const name of ['alice', 'bob', ...Object.keys(people)]) await by(name, 'GET', '/userinfo');
  let count = 0;
  const rule: ReviewPath['rule'] = async (more) => {
    const name = `rule-${++count}`;
    await ruleForScripts(gateway, name, { connection_names: undefined, ...more });
    return name;
  };
  return {
    ...path,
    by,
    rule,
    say: (name, id, body, on) => by(name, 'PUT', `/reviews/${id}`, body, on),
    reviewed: async (more = {}, connection = {}) => {
      const name = `reviewed-${++count}`;
      await path.connect(name, connection);
      await rule({ connection_names: [name], ...more });
      return name;
    },
    ask: async (connection, name = 'alice') => {
      const answer = await by(name, 'POST', '/sessions', { connection, script: 'SELECT 1' });
      if (answer.status !== 202) throw new Error(`nobody was asked: ${answer.text}`);
      return { id: answer.body.review_id as string, sessionId: answer.body.session_id as string };
    },
    sql: (text, values = []) => gateway.database.query(text, values),
  };
}
