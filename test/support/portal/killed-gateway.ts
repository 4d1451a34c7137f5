import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Request } from 'playwright-core';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import type { TestGateway } from '../gateway';
import { GatewayProcess, buildIfNeeded } from '../gateway-process';
import { type TcpProxy, startTcpProxy } from '../tcp-proxy';
import { isEventStream } from './walker';

/**
 * Starts a second gateway, in its own process, for each journey (test) during which the gateway is killed.
 * Browsers always use the address of the first gateway, but connect to a proxy. The proxy forwards to the
 * second gateway until that is killed, and to the first gateway at all other times.
 */
export class KilledGateways {
  private constructor(
    private readonly first: TestGateway,
    private readonly proxy: TcpProxy,
  ) {}

  static async start(first: TestGateway): Promise<KilledGateways> {
    await buildIfNeeded();
    return new KilledGateways(first, await startTcpProxy('127.0.0.1', portOf(first.api)));
  }

  /** Arguments that make Chromium connect to the proxy when it opens the address of the first gateway. */
  get browserArguments(): string[] {
    const { host } = new URL(this.first.api);
    return [`--host-resolver-rules=MAP ${host} 127.0.0.1:${this.proxy.port}`];
  }

  /** Starts the second gateway, and makes the proxy forward to it. */
  async begin(): Promise<KilledGateway> {
    const journals = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'journals-'));
    const second = await GatewayProcess.start({
      ...this.first.variables,
      PORT: String(await freePort()),
      POSTGRES_PROXY_PORT: String(await freePort()),
      // The first gateway listens at this port. Journeys with SSH clients are `unkilled`.
      SSH_PROXY_PORT: '0',
      JOURNAL_DIR: journals,
      LOG_LEVEL: 'info',
    });
    this.proxy.lead(portOf(second.api));
    this.proxy.cut();
    const kill = async (): Promise<void> => {
      this.proxy.lead(portOf(this.first.api));
      second.kill('SIGKILL');
      await second.exited;
      // Closes the browsers' idle connections, as the kernel closes connections of a dead process.
      this.proxy.cut();
    };
    let isKilled = false;
    return {
      get isKilled() {
        return isKilled;
      },
      kill: () => {
        isKilled = true;
        return kill();
      },
      end: async () => {
        if (!isKilled) await kill();
        await rm(journals, { recursive: true, force: true });
      },
    };
  }

  close(): Promise<void> {
    return this.proxy.close();
  }
}

export interface KilledGateway {
  /** Whether the test has killed the gateway. */
  readonly isKilled: boolean;
  /** Ends the gateway with SIGKILL. From then on, browsers reach the first gateway. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

/** Time limit for open requests to be answered. A request that takes longer waits for an event. */
const SETTLED_WITHIN_MS = 3_000;

/** Requests of pages that have no answer yet, except event streams. */
export class OpenRequests {
  private readonly open = new Set<Request>();

  watch(context: BrowserContext): void {
    context.on('request', (request) => {
      if (!isEventStream(request)) this.open.add(request);
    });
    context.on('requestfinished', (request) => this.open.delete(request));
    context.on('requestfailed', (request) => this.open.delete(request));
  }

  /** Whether all requests are answered in time. A killed gateway would not finish the open requests. */
  async areAnswered(): Promise<boolean> {
    return eventually('requests are answered', async () => this.open.size === 0, SETTLED_WITHIN_MS).then(
      () => true,
      () => false,
    );
  }
}

function portOf(api: string): number {
  return Number(new URL(api).port);
}
