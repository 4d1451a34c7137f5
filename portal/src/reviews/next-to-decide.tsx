import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { texts } from '../texts';
import type { Review } from './review';
import { toDecideQuery } from './review-queries';

interface Props {
  /** The request that is shown. */
  readonly review: Pick<Review, 'id' | 'created_at'>;
  /** Whether the signed-in user has decided on it. */
  readonly isDecided: boolean;
}

/**
 * A link to the next request that waits for the signed-in user, if any: the next younger one, else the oldest.
 * It gets the focus when the user has decided on this one, so that Enter leads on.
 */
export function NextToDecide({ review, isDecided }: Props) {
  const { data } = useQuery(toDecideQuery({}));
  const link = useRef<HTMLAnchorElement>(null);
  const wasDecided = useRef(isDecided);
  const others = (data?.data ?? []).filter(({ id }) => id !== review.id);
  const next = others.find(({ created_at: asked }) => asked > review.created_at) ?? others[0];
  useEffect(() => {
    if (isDecided && !wasDecided.current) link.current?.focus();
    wasDecided.current = isDecided;
  }, [isDecided]);
  if (data === undefined || next === undefined) return null;
  const isListed = others.length < data.data.length;
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/reviews/$id" params={{ id: next.id }} {...props} ref={link} />}
    >
      {texts.reviews.next(data.pages.total - (isListed ? 1 : 0))}
    </Button>
  );
}
