import { Mark } from '@mantine/core';
import { nameOf, shownPieces } from './hidden-characters';

/**
 * Shows text that another person wrote: without HTML and links, and with visible marks for hidden characters.
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
