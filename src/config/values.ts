import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { NAME_RULE, isName, normalizedName } from '../kernel/names';

/** Types of variables: each one checks a text and converts it. */

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
/** In the form in which browsers send it: lower case, no default port, no path. */
export function isExactOrigin(value: string): boolean {
  return /^https?:\/\/[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

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

/** A host in the form of the URL parser, so that hosts can be compared: lower case, punycode, normalized addresses, no brackets. */
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

/** An address, or a network in the form of CIDR. */
export function isNetwork(value: string): boolean {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const version = isIP(address);
  return version !== 0 && (prefix === undefined || Number(prefix) <= (version === 4 ? 32 : 128));
}
