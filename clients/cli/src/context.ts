import { readFileSync } from 'node:fs';
import { type Credential, Gateway } from '@access-gateway/client';
import type { Command } from 'commander';
import { CommandFault, EXIT } from './exit-codes.js';
import { readKept } from './kept/folder.js';
import { agent } from './sign-in/oauth.js';
import { tokensOf } from './sign-in/kept-sign-in.js';
import { type Format, Output } from './shown/output.js';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** What all commands share: the gateway, the output, and the signal of Ctrl-C. */
export class Context {
  readonly output: Output;
  private readonly options: { readonly url?: string; readonly output?: Format; readonly tokenFile?: string };

  constructor(
    command: Command,
    readonly signal: AbortSignal,
  ) {
    this.options = command.optsWithGlobals();
    this.output = new Output(this.options.output ?? 'table');
  }

  /** The address of the gateway: `--url`, `GATEWAY_URL`, or that of the last sign-in. */
  get url(): string {
    const given = this.options.url ?? (process.env['GATEWAY_URL'] || undefined) ?? urlOfConfiguration();
    if (given === undefined)
      throw new CommandFault('which gateway? give --url, or set GATEWAY_URL', EXIT.usage);
    if (!URL.canParse(given)) throw new CommandFault(`this is no address: ${given}`, EXIT.usage);
    const { protocol, hostname, origin, pathname } = new URL(given);
    const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
    if (!isSafe && process.env['GATEWAY_ALLOW_HTTP'] !== '1')
      throw new CommandFault(
        'a gateway at another computer is reached by https; GATEWAY_ALLOW_HTTP=1 sends tokens without it',
        EXIT.usage,
      );
    return `${origin}${pathname.replace(/\/+$/, '')}`;
  }

  /** The gateway, as the person who is signed in. */
  get gateway(): Gateway {
    return this.gatewayWith(this.credential());
  }

  gatewayWith(credential: Credential | undefined): Gateway {
    return new Gateway({
      url: this.url,
      headers: { 'User-Agent': agent() },
      ...(credential === undefined ? {} : { credential }),
    });
  }

  private credential(): Credential {
    const { tokenFile } = this.options;
    if (tokenFile !== undefined) return readToken(tokenFile);
    const token = process.env['GATEWAY_TOKEN'];
    return token === undefined || token === '' ? tokensOf(this.url) : token.trim();
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new CommandFault(`the token cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}

function urlOfConfiguration(): string | undefined {
  const text = readKept('config.json');
  if (text === undefined) return undefined;
  try {
    const { url } = JSON.parse(text) as { url?: unknown };
    return typeof url === 'string' ? url : undefined;
  } catch {
    throw new CommandFault('config.json is not JSON', EXIT.usage);
  }
}
