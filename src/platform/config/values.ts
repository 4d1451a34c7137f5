import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { messageOf } from '../../kernel/app-error';
import { NAME_RULE, isName, normalizedName } from '../../kernel/text/names';

/** Types of environment variables. Each type checks the text of a variable and converts it. */

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const port = wholeNumber(1, 65_535);
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
/** The name of a group, in its normal form. */
export const groupName = z
  .string()
  .transform(normalizedName)
  .refine((name) => name !== '' && isName(name), `must be a name: it must ${NAME_RULE}`);
export const hosts = list.transform((names) => names.map(asInAddresses));
export const origin = /^https?:\/\/[^\s/?#@]+$/;
/** Whether an origin has the form that browsers send: lower case, no default port, no path. */
export function isExactOrigin(value: string): boolean {
  return /^https?:\/\/[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** Loopback names and addresses, which always mean the local machine. */
export const OWN_HOSTS = ['localhost', '127.0.0.1', '::1'];

/** Pairs `key=value`, comma-separated, with URL-encoded values, as in the variables of OpenTelemetry. */
export const keyValues = list.transform((items, context) => {
  const pairs = items.map((item) => /^([^=\s]+)\s*=\s*(.*)$/.exec(item));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (pair === null) throw new Error('no pair');
        return [pair[1] ?? '', decodeURIComponent(pair[2] ?? '')];
      }),
    );
  } catch {
    context.addIssue('must be pairs such as key=value, comma-separated, with URL-encoded values');
    return z.NEVER;
  }
});

/** An address `tls://host:port` or `tcp://host:port`. */
export const syslogUrl = z.string().transform((text, context) => {
  const [, scheme, host = '', port] =
    /^(tls|tcp):\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  if (scheme === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) {
    context.addIssue('must look like tls://siem.example.com:6514 or tcp://127.0.0.1:514');
    return z.NEVER;
  }
  const isTls = scheme.toLowerCase() === 'tls';
  return { isTls, host: asInAddresses(host), port: Number(port ?? (isTls ? 6514 : 514)) };
});

/** The path of a file that can be read. */
export const readableFile = z.string().superRefine((path, context) => {
  try {
    readFileSync(path);
  } catch (error) {
    context.addIssue(messageOf(error));
  }
});

const SECRET_KEY_BYTES = 32;
export const secretKeys = list.pipe(
  z
    .array(
      z
        .string()
        .transform((text) => Buffer.from(text, 'base64'))
        .refine(
          (key) => key.length === SECRET_KEY_BYTES,
          'must be 32 bytes in base64 (openssl rand -base64 32)',
        ),
    )
    .min(1, 'must hold at least one key'),
);

/**
 * A host in the form of the URL parser, so that hosts can be compared: lower
 * case, punycode, normalized addresses, no brackets.
 */
export function asInAddresses(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare) === 6 && !bare.includes('%')) return new URL(`http://[${bare}]`).hostname.slice(1, -1);
  // An invalid host name stays unchanged and matches nothing.
  return domainToASCII(bare) || bare.toLowerCase();
}

/** Accepts digits only: other forms that `Number` accepts (blanks, 1e3, 0x50) are probably mistakes. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .transform((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
}

export function isHost(value: string): boolean {
  return isIP(value) !== 0 || /^[\w-]+(\.[\w-]+)*\.?$/.test(value);
}

/** Whether the text is an IP address, or a network in CIDR notation. */
export function isNetwork(value: string): boolean {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const version = isIP(address);
  return version !== 0 && (prefix === undefined || Number(prefix) <= (version === 4 ? 32 : 128));
}
