/**
 * Names of connections, attributes, groups, users, rules, API keys and tags. Names that look
 * the same must be the same. Therefore they are stored in NFC, without surrounding white
 * space, and without invisible characters. Source: Unicode Standard Annex #15 (normalization),
 * Unicode Technical Report #36 (security considerations).
 */

/**
 * Matches control, format (also bidirectional), private-use, unassigned and surrogate code points; line and
 * paragraph separators; characters that are rendered as nothing (fillers, variation selectors, the blank
 * Braille pattern); and all white space except U+0020.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** The rule for names; completes a sentence that ends with "must". */
export const NAME_RULE = 'not contain control, invisible or bidirectional characters, and not be . or ..';

/** The form in which names are stored and compared: NFC, without surrounding white space. */
export function normalizedName(text: string): string {
  return text.normalize('NFC').trim();
}

/**
 * Whether a normalized text may be a name. Empty texts are checked elsewhere,
 * because some names are optional.
 */
export function isName(name: string): boolean {
  return name !== '.' && name !== '..' && !INVISIBLE.test(name);
}

/** The rule for reasons; completes a sentence that ends with "must". */
export const REASON_RULE = 'not contain control, invisible or bidirectional characters';

/**
 * The form in which reasons are stored: NFC, without surrounding white space, in one line. Line breaks of a
 * text area become spaces.
 */
export function normalizedReason(text: string): string {
  return normalizedName(text.replaceAll(/[\t\r\n]+/g, ' '));
}

/** Whether a normalized text may be a reason. A reviewer must be able to see all of it. */
export function isReason(reason: string): boolean {
  return !INVISIBLE.test(reason);
}

/** The visible characters of a name. Rules compare these, so that hidden characters cannot bypass a rule. */
export function visibleName(text: string): string {
  return normalizedName(
    text.normalize('NFC').replaceAll(ALL_INVISIBLE, (found) => (/\s/.test(found) ? ' ' : '')),
  );
}
