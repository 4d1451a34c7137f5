import { Mark } from '@mantine/core';

/**
 * Characters that change how the text around them looks, or cannot be seen: control characters, the separators of lines, marks of direction (Unicode
 * Standard Annex 9), and characters without width. Tabs and line breaks are shown as what they are.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Text that somebody else wrote: never HTML, links in it lead nowhere, and what would be hidden is shown as a mark. */
export function Said({ text }: { readonly text: string }) {
  const parts = text.split(HIDDEN);
  if (parts.length === 1) return <bdi>{text}</bdi>;
  const hidden = text.match(HIDDEN) ?? [];
  return (
    <bdi>
      {parts.map((part, at) => {
        const character = hidden[at];
        return (
          <span key={at}>
            {part}
            {character !== undefined && <Mark>{nameOf(character)}</Mark>}
          </span>
        );
      })}
    </bdi>
  );
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
