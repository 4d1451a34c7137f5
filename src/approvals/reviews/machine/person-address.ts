import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Invisible characters that mail servers ignore: white space of every kind, control and format characters,
 * and characters that are rendered as nothing.
 */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}\u2800]/gu;
/** `Zed <zed@x.com>`: the address is in the last angle brackets (RFC 5322, section 3.4). */
const IN_BRACKETS = /<([^<>]*)>[^<>]*$/;
/** Comments in an address: text in parentheses (RFC 5322, section 3.2.2). */
const COMMENT = /\([^()]*\)/g;
/**
 * Maximum number of calls of `once` for an address. Each call removes a layer, such as a comment inside a
 * comment. No address needs more calls, because addresses have fewer characters than this.
 */
const MAX_ROUNDS = 300;

/**
 * Returns the canonical identity of a person. Two accounts belong to one person if the result is the same for
 * both addresses. All code that counts people compares the result, for stored addresses too. It is never
 * shown, and nothing is sent to it. An empty result belongs to nobody.
 *
 * If mail systems disagree whether two spellings are one address, they count as one person. A wrong match
 * only refuses an approval, but a missed match would let people approve their own requests. Different
 * mailboxes remain different people, such as `zed+1@x.com`, or an address with similar letters of another
 * script.
 */
export function personAddress(address: string): string {
  let text = address;
  // Removing one layer may reveal another, such as a quoted comment. So repeat until the text is stable.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = once(text);
    if (next === text) break;
    text = next;
  }
  return text;
}

function once(address: string): string {
  const seen = folded(address).replaceAll(UNSEEN, '');
  const bare = (IN_BRACKETS.exec(seen)?.[1] ?? seen).replaceAll(COMMENT, '').replace(/^mailto:/, '');
  const at = bare.lastIndexOf('@');
  if (at === -1) return bare;
  return `${localPart(bare.slice(0, at))}@${domain(bare.slice(at + 1))}`;
}

/**
 * Replaces compatibility characters by their usual letters, and removes differences of upper and lower case,
 * also for `ſ`, `ẞ` and the Kelvin sign.
 */
function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/**
 * Removes quotes, backslashes, and dots at the beginning and end: `"zed"@x.com` and `"z\ed"@x.com` are
 * `zed@x.com` (RFC 5321, section 4.1.2), and no local part of an address begins or ends with a dot.
 */
function localPart(text: string): string {
  return text.replaceAll(/["\\]/g, '').replace(/^\.+/, '').replace(/\.+$/, '');
}

/** Returns the same domain for Punycode and Unicode, and for `x.com` and `x.com.` (with the DNS root). */
function domain(text: string): string {
  const ascii = domainToASCII(text.replaceAll(/[\u3002\uff0e\uff61]/g, '.'));
  // Folded again, because `straße` and `strasse` are different domains today, but were the same in the past.
  return (ascii === '' ? text : folded(domainToUnicode(ascii))).replace(/\.+$/, '');
}
