import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { texts } from '../texts';
import { toDecideQuery } from './review-queries';

interface Props {
  /** Id of the request that is shown. */
  readonly id: string;
  /** Whether the signed-in user has nothing left to decide here. */
  readonly isDecided: boolean;
}

/**
 * A link to the next request that waits for the signed-in user, if any. It gets the focus when the user has
 * decided on this one, so that Enter leads on.
 */
export function NextToDecide({ id, isDecided }: Props) {
  const { data } = useQuery(toDecideQuery({}));
  const link = useRef<HTMLAnchorElement>(null);
  const wasDecided = useRef(isDecided);
  const waiting = data?.data ?? [];
  const at = waiting.findIndex((review) => review.id === id);
  const next = waiting[at + 1] ?? waiting.find((review) => review.id !== id);
  useEffect(() => {
    if (isDecided && !wasDecided.current) link.current?.focus();
    wasDecided.current = isDecided;
  }, [isDecided]);
  if (data === undefined || next === undefined) return null;
  const count = data.pages.total - (at < 0 ? 0 : 1);
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/reviews/$id" params={{ id: next.id }} {...props} ref={link} />}
    >
      {texts.reviews.next(count)}
    </Button>
  );
}
