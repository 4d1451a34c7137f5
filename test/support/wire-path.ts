import { type DataPath, startDataPath } from './data-path';
import type { TestDatabase } from './database';
import { eventually } from './eventually';
import { freePort } from './free-port';
import { createRule } from './guardrails';
import { freshTarget } from './target';
import { type TestCertificate, makeCertificate, whyWithout } from './tls';

/** Words that the guardrail rule of `orders` denies: `DENIED` in input, `WITHHELD` in output. */
export const DENIED = 'zanzibar_denied';
export const WITHHELD = 'zanzibar_withheld';
export const DENIED_MESSAGE = 'Not that word.';
const PATIENCE_MS = 80_000;

/** Connection options of node-postgres. */
export interface Way {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * A gateway whose connection `orders` is judged by guardrails, screened and recorded, with a credential for
 * its PostgreSQL port. Clients reach a second, equal database directly, so that tests can compare answers.
 */
export interface WirePath extends DataPath {
  /** Options to connect through the gateway, with a credential of admin. */
  readonly through: Way;
  /** Options to connect to the second database directly. No other client uses this database. */
  readonly direct: Way;
  readonly twin: TestDatabase;
  /** The gateway's TLS certificate; undefined without openssl: the gateway then has no TLS. */
  readonly certificate: TestCertificate | undefined;
  /**
   * Makes the same call through the gateway and directly; fails if the results differ. Returns the result.
   */
  both<T>(call: (way: Way) => Promise<T>): Promise<T>;
  /** The statements of the last finished session, as `raw-queries` shows them. */
  statements(): Promise<string[]>;
  /** The recording of the last finished session. */
  lastRecording(): Promise<[string, string][]>;
  /** The id of the last session, once it has ended. */
  lastSession(): Promise<string>;
  /** Issues another credential for the connection (default: `orders`). */
  issue(connection?: string): Promise<Way>;
  /** Waits until a statement that matches `like` runs. Returns the process id of its backend. */
  untilRuns(database: TestDatabase, like: string): Promise<number>;
}

export async function startWirePath(environment: Record<string, string> = {}): Promise<WirePath> {
  const port = await freePort();
  const certificate = whyWithout('openssl') === undefined ? makeCertificate() : undefined;
  const tls =
    certificate === undefined
      ? {}
      : { TLS_CERT: certificate.cert, TLS_KEY: certificate.key, TLS_PORTS: 'postgres' };
  const path = await startDataPath({ POSTGRES_PROXY_PORT: String(port), ...tls, ...environment });
  const twin = await freshTarget();
  await setRules(path);
  const issue = async (connection = 'orders'): Promise<Way> => {
    const { status, text, body } = await path.gateway.call(
      'admin',
      'POST',
      `/connections/${connection}/credentials`,
      {},
    );
    if (status !== 201) throw new Error(`no credentials: ${text}`);
    const { hostname, username, password, database_name } = body.connection_credentials;
    return { host: hostname, port, user: username, password, database: database_name };
  };
  const through = await issue();
  const direct = wayTo(twin);
  const lastSession = (): Promise<string> =>
    eventually(
      'the session is over',
      async () => {
        const [row] = await path.gateway.database.query<{ id: string; status: string }>(
          'SELECT id, status FROM sessions ORDER BY id DESC LIMIT 1',
        );
        return row?.status === 'done' && row.id;
      },
      PATIENCE_MS,
    );
  return {
    ...path,
    through,
    direct,
    twin,
    certificate,
    issue,
    lastSession,
    both: async (call) => {
      const expected = await call(direct);
      const seen = await call(through);
      expect(seen).toEqual(expected);
      return seen;
    },
    statements: async () => {
      const { body } = await path.read(await lastSession(), '?event_stream=raw-queries');
      return (body.event_stream as [number, string, string][]).map(([, , content]) =>
        Buffer.from(content, 'base64').toString(),
      );
    },
    lastRecording: async () => path.recording(await lastSession()),
    untilRuns: (database, like) =>
      eventually(
        `it runs ${like}`,
        async () => {
          const [row] = await database.query<{ pid: number }>(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
               AND query LIKE $1 AND pid <> pg_backend_pid()`,
            [like],
          );
          return row?.pid;
        },
        PATIENCE_MS,
      ),
    close: async () => {
      await path.close();
      await twin.drop();
    },
  };
}

/** Creates a rule that denies the words `DENIED` in all input and `WITHHELD` in all output. */
async function setRules({ gateway, connectionId }: DataPath): Promise<void> {
  await createRule(gateway, {
    name: 'two words',
    connection_ids: [connectionId],
    input: {
      rules: [{ type: 'deny_words_list', words: [DENIED], pattern_regex: '', message: DENIED_MESSAGE }],
    },
    output: {
      rules: [{ type: 'deny_words_list', words: [WITHHELD], pattern_regex: '', message: 'It is withheld.' }],
    },
  });
}

export function wayTo(database: TestDatabase): Way {
  const url = new URL(database.url);
  return {
    host: url.hostname,
    port: Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  };
}
