import { Mark } from '@mantine/core';
import { nameOf, shownPieces } from './hidden-characters';

/**
 * Text that another person wrote: never HTML, links in it lead nowhere, and hidden characters are shown as
 * marks.
 */
export function Said({ text }: { readonly text: string }) {
  const pieces = shownPieces(text);
  if (pieces.length === 1 && pieces[0]?.isHidden === false) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {pieces.map((piece, at) =>
        piece.isHidden ? <Mark key={at}>{nameOf(piece.text)}</Mark> : <span key={at}>{piece.text}</span>,
      )}
    </bdi>
  );
}
