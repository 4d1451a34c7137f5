/**
 * Names of connections, attributes, groups, users, rules, API keys and tags. Two names that look the same must be the
 * same: they are stored in NFC, without white space around them, and without characters that nobody sees.
 * Source: Unicode Standard Annex #15 (normalization), Unicode Technical Report #36 (security considerations).
 */

/**
 * Control, format (bidirectional marks among them), private-use, unassigned and surrogate code points; line and
 * paragraph separators; what is rendered as nothing (fillers, variation selectors, the blank Braille pattern); and
 * every white space but U+0020.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Words that go after "must". */
export const NAME_RULE =
  'be without control, invisible and bidirectional characters, and other than . and ..';

/** As names are stored and looked for: NFC, without white space around it. */
export function normalizedName(text: string): string {
  return text.normalize('NFC').trim();
}

/** Whether a normalized text may be a name. Empty ones are for other checks: some names may be left out. */
export function isName(name: string): boolean {
  return name !== '.' && name !== '..' && !INVISIBLE.test(name);
}

/** What somebody sees of a name. Decisions compare this, so that no stored look-alike escapes a rule. */
export function visibleName(text: string): string {
  return normalizedName(
    text.normalize('NFC').replaceAll(ALL_INVISIBLE, (found) => (/\s/.test(found) ? ' ' : '')),
  );
}
