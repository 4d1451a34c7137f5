import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { components } from '../api/schema';
import { texts } from '../texts';

const t = texts.pager;

interface Props {
  readonly pages: components['schemas']['PageInfo'];
  readonly onPage: (page: number) => void;
}

/** Where a list is, and the way to its other pages. */
export function Pager({ pages: { page, size, total }, onPage }: Props) {
  const last = Math.max(1, Math.ceil(total / size));
  // What was the last page may be gone, for example with the last request on it: an empty list must not say
  // that there is none.
  const isGone = total > 0 && page > last;
  useEffect(() => {
    if (isGone) onPage(last);
  }, [isGone, last, onPage]);
  // The list itself says that it is empty.
  if (total === 0) return null;
  return (
    <Group>
      <Text role="status">{t.where(page, last, total)}</Text>
      {last > 1 && (
        <>
          <Button variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {t.previous}
          </Button>
          <Button variant="default" disabled={page >= last} onClick={() => onPage(page + 1)}>
            {t.next}
          </Button>
        </>
      )}
    </Group>
  );
}
