import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Characters that no mail server reads: white space of every kind, control and format characters, characters
 * that are rendered as nothing.
 */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}\u2800]/gu;
/** `Zed <zed@x.com>`: the address is in the last angle brackets (RFC 5322, section 3.4). */
const IN_BRACKETS = /<([^<>]*)>[^<>]*$/;
/** Comments of RFC 5322, section 3.2.2. */
const COMMENT = /\([^()]*\)/g;
/** More than an address has characters: each round takes a layer away, such as a comment in a comment. */
const MAX_ROUNDS = 300;

/**
 * The canonical identity of a person: two accounts are one person if this is the same text for the addresses
 * of both. Everything that counts people compares with it, stored addresses too; it is never shown, and
 * nothing is sent to it. Empty: nobody's.
 *
 * Where readers disagree, two spellings are one person: that refuses an approval, and the other way round a
 * person approves the own request. Other mailboxes stay other people: `zed+1@x.com` and letters of another
 * script that look alike.
 */
export function personAddress(address: string): string {
  let text = address;
  // One spelling may hide another: full width brackets, a quoted comment. What is canonical stays as it is.
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
 * Compatibility forms become usual letters, and letters that differ in case
 * only the same one: `ſ`, `ẞ` and `K` too.
 */
function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/**
 * `"zed"@x.com` is `zed@x.com` (RFC 5321, section 4.1.2), and so is `"z\ed"`.
 * Dots at the ends are of no address.
 */
function localPart(text: string): string {
  return text.replaceAll(/["\\]/g, '').replace(/^\.+/, '').replace(/\.+$/, '');
}

/** Punycode and Unicode are one domain, and so are `x.com` and `x.com.`, the name with its root. */
function domain(text: string): string {
  const ascii = domainToASCII(text.replaceAll(/[\u3002\uff0e\uff61]/g, '.'));
  // Folded again: `straße` and `strasse` are two domains of today, and were one before.
  return (ascii === '' ? text : folded(domainToUnicode(ascii))).replace(/\.+$/, '');
}
