import { type DataPath, startDataPath } from './data-path';
import type { Person } from './gateway';
import { createRule } from './guardrails';
import { WireClient } from './wire-client';

/** A data path with clients of the PostgreSQL port. Each client can have its own connection. */
export interface GuardedPath extends DataPath {
  /**
   * Creates a connection under guardrail `rules` (`{ input, output }`), and signs a client in to it.
   */
  readonly under: (rules: object, more?: object) => Promise<GuardedClient>;
  /** Signs in to a connection. */
  readonly signIn: (connection: string, person?: Person) => Promise<WireClient>;
}

export interface GuardedClient {
  readonly client: WireClient;
  readonly connection: string;
  readonly connectionId: string;
  /** Id of the guardrail; undefined if the connection was created without rules. */
  readonly ruleId: string | undefined;
  /** Adds a guardrail to the connection while the client is connected. Returns its id. */
  readonly addRule: (rules: object) => Promise<string>;
  /** Returns the id of the connection's only session. */
  readonly session: () => Promise<string>;
}

export async function startGuardedPath(environment: Record<string, string> = {}): Promise<GuardedPath> {
  const path = await startDataPath(environment);
  const clients: WireClient[] = [];
  let count = 0;
  const signIn: GuardedPath['signIn'] = async (connection, person) => {
    const client = await WireClient.through(path.gateway, connection, person);
    clients.push(client);
    return client;
  };
  return {
    ...path,
    signIn,
    under: async (rules, more) => {
      const connection = `guarded-${++count}`;
      const connectionId = await path.connect(connection, more);
      const addRule = (added: object): Promise<string> =>
        createRule(path.gateway, { name: `rule-${++count}`, connection_ids: [connectionId], ...added });
      const ruleId = Object.keys(rules).length === 0 ? undefined : await addRule(rules);
      const client = await signIn(connection);
      const session = async (): Promise<string> => {
        const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${connection}`);
        return body.data[0].id as string;
      };
      return { client, connection, connectionId, ruleId, addRule, session };
    },
    close: async () => {
      for (const client of clients) client.close();
      await path.close();
    },
  };
}

/** Returns `rules` of a guardrail, with one entry for each argument. */
export function entries(...rules: readonly object[]): { rules: object[] } {
  return { rules: rules.map((rule) => ({ words: [], pattern_regex: '', ...rule })) };
}

export const blockWord = (word: string, message: string): { rules: object[] } =>
  entries({ type: 'deny_words_list', words: [word], message });

export const maskWord = (word: string): { rules: object[] } =>
  entries({ type: 'deny_words_list', words: [word], action: 'mask' });
