import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { psql } from '../psql';
import { Browser, signIn } from '../browser-sign-in';
import { until } from '../gateway-process';
import { RawClient } from '../mcp/raw-client';
import { OWN_PAGE } from '../portal';

/** The target of the load: the addresses of a load balancer, and the users. */
export interface LoadTarget {
  readonly origin: string;
  readonly postgresPort: number;
  readonly token: string;
  /** A connection to a PostgreSQL database with `customers`. */
  readonly database: string;
  /** A connection to an MCP server with the tool `echo`. */
  readonly tools: string;
}

const KINDS = ['script', 'psql', 'mcp', 'portal'] as const;
type Kind = (typeof KINDS)[number];

/** Pause between actions of one kind. The test checks that all are answered; it does not measure speed. */
const PAUSE_MS = 100;

/**
 * Simulates people at work: scripts, psql, MCP tool calls, and portal pages with a sign-in. The four kinds of
 * actions run in parallel; the actions of one kind run one after another.
 */
export class Load {
  /** Descriptions of the actions that failed or got a wrong answer. */
  readonly failures: string[] = [];
  readonly counts: Record<Kind, number> = { script: 0, psql: 0, mcp: 0, portal: 0 };
  private isOver = false;
  private readonly work: Promise<unknown>;

  constructor(private readonly target: LoadTarget) {
    this.work = Promise.all(KINDS.map((kind) => this.repeat(kind)));
  }

  /** Resolves when `more` further actions of each kind are answered, or when an action failed. */
  async goesOn(more: number): Promise<void> {
    const before = { ...this.counts };
    const isEnough = (): boolean => KINDS.every((kind) => this.counts[kind] >= before[kind] + more);
    await until(() => isEnough() || this.failures.length > 0);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.work;
  }

  private async repeat(kind: Kind): Promise<void> {
    while (!this.isOver) {
      try {
        await this[kind]();
        this.counts[kind] += 1;
        await pause(PAUSE_MS);
      } catch (error) {
        this.failures.push(`${kind} ${this.counts[kind]}: ${inspect(error).slice(0, 1_000)}`);
        // Stops after 100 failures, because further failures would report the same.
        if (this.failures.length > 100) return;
      }
    }
  }

  private async script(): Promise<void> {
    const { origin, token, database } = this.target;
    const answer = await fetch(`${origin}/api/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ connection: database, script: 'SELECT name FROM customers WHERE id = 1' }),
    });
    mustHave(await answer.text(), '"output":"name\\nGrace\\n"');
  }

  private async psql(): Promise<void> {
    const { postgresPort: port, token: password, database } = this.target;
    const way = { host: '127.0.0.1', port, user: 'me', password, database };
    const queries = ['SELECT name FROM customers WHERE id = 1', 'BEGIN', 'SELECT 40 + 2', 'COMMIT'];
    const { code, stdout, stderr } = await psql(way, ['-At', ...queries.flatMap((query) => ['-c', query])]);
    mustHave(`${code} ${stdout}${stderr}`, '0 Grace\nBEGIN\n42\nCOMMIT\n');
  }

  private async mcp(): Promise<void> {
    const { origin, token, tools } = this.target;
    const endpoint = (connection: string): string => `${origin}/api/mcp/${connection}`;
    const client = new RawClient({ endpoint, gateway: { token: async () => token } }, tools);
    const { text } = await client.call('echo', { text: 'said under load' });
    mustHave(text, 'said under load');
  }

  /** Loads the page with its scripts and styles, signs in, and checks who is signed in. */
  private async portal(): Promise<void> {
    const browser = new Browser();
    const get = async (path: string, status = 200): Promise<Response> => {
      const headers = { ...OWN_PAGE, accept: path === '/' ? 'text/html' : '*/*' };
      const answer = await browser.request(new URL(path, this.target.origin), { headers });
      if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer;
    };
    const page = await (await get('/')).text();
    const files = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);
    if (files.length === 0) throw new Error(`a page without scripts: ${page}`);
    for (const file of files) await (await get(file)).arrayBuffer();
    const { login_url } = (await (await get('/api/login?portal=1')).json()) as { login_url: string };
    const back = await signIn(login_url, 'alice');
    await get(back.pathname + back.search, 307);
    mustHave(await (await get('/api/userinfo')).text(), 'alice@example.com');
  }
}

function mustHave(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`not ${part} but ${text.slice(0, 500)}`);
}
