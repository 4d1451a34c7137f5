import type { Detector } from './detector';
import type { Span } from './span';

/** Maximum lengths by RFC 5321, 4.5.3.1. The RFC counts octets; this code counts code units. */
const LOCAL_MOST = 64;
const DOMAIN_MOST = 253;

const LOCAL_END = new RegExp(String.raw`[\p{L}\p{N}_%+'-](?:\.?[\p{L}\p{N}_%+'-])*$`, 'u');
/**
 * Labels with a dot after each, then a top-level domain that is a word. So 10.0.0.1 and package@1.2.3 are not
 * e-mail domains.
 */
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})(?![\p{L}\p{N}_])/iuy;

/**
 * E-mail addresses, found by looking around every @. If a local part is too long, only its end counts. Quoted
 * local parts and domains without a dot are not found.
 */
export const email: Detector = {
  longest: LOCAL_MOST + 1 + DOMAIN_MOST,

  *occurrences(text: string, from: number): Generator<Span> {
    let free = from;
    for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
      const end = endOfDomain(text, at + 1);
      if (end === undefined) continue;
      const start = startOfLocal(text, at);
      if (start === undefined || start < free) continue;
      yield { start, end };
      free = end;
    }
  },
};

function endOfDomain(text: string, start: number): number | undefined {
  DOMAIN.lastIndex = start;
  const found = DOMAIN.exec(text);
  return found !== null && found[0].length <= DOMAIN_MOST ? start + found[0].length : undefined;
}

/** Returns the start of the local part. The n of an escaped line break (`\n`) does not belong to it. */
function startOfLocal(text: string, at: number): number | undefined {
  // The expression tries every position of its text, so it gets only the units that may belong to the local
  // part.
  let from = at;
  while (from > 0 && at - from < LOCAL_MOST && mayBeLocal(text.charCodeAt(from - 1))) from -= 1;
  const local = LOCAL_END.exec(text.slice(from, at))?.[0];
  if (local === undefined) return undefined;
  const start = at - local.length;
  const isEscape = text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start)) && local.length > 1;
  return isEscape ? start + 1 : start;
}

/**
 * Whether the unit may be in a local part. True for all units beyond ASCII, because `LOCAL_END` checks them
 * later.
 */
function mayBeLocal(unit: number): boolean {
  return unit >= 0x80 || LOCAL_UNITS[unit] === 1;
}

const LOCAL_UNITS = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  /[\p{L}\p{N}_%+'.-]/u.test(String.fromCharCode(unit)) ? 1 : 0,
);
