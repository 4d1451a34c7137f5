import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { components } from '../api/schema';
import { texts } from '../texts';

const t = texts.pager;

interface Props {
  readonly pages: components['schemas']['PageInfo'];
  readonly onPage: (page: number) => void;
}

/** The position in a list, and links to its other pages. */
export function Pager({ pages: { page, size, total }, onPage }: Props) {
  const last = Math.max(1, Math.ceil(total / size));
  // The shown page may be beyond the last page, for example after the only request on it was removed. Then go
  // to the last page, because an empty page must not look like an empty list.
  const isGone = total > 0 && page > last;
  useEffect(() => {
    if (isGone) onPage(last);
  }, [isGone, last, onPage]);
  // Show nothing for an empty list, because the list itself shows that it is empty.
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
