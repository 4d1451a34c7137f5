import { type Credential, Gateway } from '@access-gateway/client';
import type { Command } from 'commander';
import { findApi } from './api-address.js';
import { type CommonOptions, commonOptionsOf } from './common-options.js';
import { CommandFault, EXIT } from './exit-codes.js';
import { readConfiguration } from './kept/configuration.js';
import { agent } from './sign-in/oauth.js';
import { readTextFile } from './text-file.js';
import { tokensOf } from './sign-in/kept-sign-in.js';
import { Output } from './shown/output.js';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;
/** Pattern of a token: printable ASCII characters without spaces, so that a header can contain it. */
const TOKEN = /^[\x21-\x7e]+$/;

/** State that all commands share: the gateway, the output, and the signal of Ctrl-C. */
export class Context {
  readonly output: Output;

  private constructor(
    /** The URL as the user entered it. */
    readonly url: string,
    /** URL of the API. */
    readonly api: string,
    private readonly options: CommonOptions,
    readonly signal: AbortSignal,
  ) {
    this.output = new Output(options.output ?? 'table');
  }

  /** @throws CommandFault when the address is invalid or not safe */
  static async of(command: Command, signal: AbortSignal): Promise<Context> {
    const options = commonOptionsOf(command);
    const url = urlOf(options);
    const kept = readConfiguration();
    const api = kept?.url === url && kept.api !== undefined ? kept.api : (await findApi(url)).api;
    return new Context(url, api, options, signal);
  }

  /** The client of the gateway, with the credential of the user. */
  get gateway(): Gateway {
    return this.gatewayWith(this.credential());
  }

  gatewayWith(credential: Credential | undefined): Gateway {
    return new Gateway({
      url: this.api,
      apiPrefix: '',
      headers: { 'User-Agent': agent() },
      ...(credential === undefined ? {} : { credential }),
    });
  }

  private credential(): Credential {
    const { tokenFile } = this.options;
    if (tokenFile !== undefined) return checked(readTextFile(tokenFile, 'the token'), tokenFile);
    const token = process.env['GATEWAY_TOKEN'];
    return token === undefined || token === '' ? tokensOf(this.api) : checked(token, 'GATEWAY_TOKEN');
  }
}

/** Returns the URL of the gateway: `--url`, else `GATEWAY_URL`, else the URL of the last sign-in. */
function urlOf({ url }: CommonOptions): string {
  const given = url ?? (process.env['GATEWAY_URL'] || undefined) ?? readConfiguration()?.url;
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

/**
 * Returns the trimmed token. Rejects a malformed token, because a later error message could show it.
 */
function checked(text: string, where: string): string {
  const token = text.trim();
  if (!TOKEN.test(token))
    throw new CommandFault(`there is no token in ${where}, or more than one`, EXIT.usage);
  return token;
}
