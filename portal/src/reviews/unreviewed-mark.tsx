import { Badge } from '@mantine/core';
import { texts } from '../texts';
import type { Review } from './review';

const t = texts.reviews;

interface Props {
  readonly of: Pick<Review, 'after_review' | 'emergency'> | null | undefined;
}

/**
 * Badge of a forced approval or an emergency, gray after its sign-off. Other reviews have no badge.
 */
export function UnreviewedMark({ of }: Props) {
  if (!of?.after_review) return null;
  const open = of.emergency ? 'red' : 'yellow';
  return (
    <Badge variant="outline" color={of.after_review === 'open' ? open : 'gray'}>
      {of.emergency ? t.emergency : t.forcedMark}
    </Badge>
  );
}
