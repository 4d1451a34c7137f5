import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../api/schema';
import { Loaded } from './loaded';
import { Pager } from './pager';

interface Props<Row> {
  readonly query: UseQueryResult<{ data: Row[]; pages: components['schemas']['PageInfo'] }, unknown>;
  /** Text that is shown if the list is empty. */
  readonly none: string;
  readonly onPage: (page: number) => void;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** Shows one page of a list with links to its other pages, or the state of the query. */
export function PagedList<Row>({ query, none, onPage, children }: Props<Row>) {
  return (
    <Loaded query={query}>
      {({ data, pages }) => (
        <>
          {data.length === 0 ? <Text>{none}</Text> : children(data)}
          <Pager pages={pages} onPage={onPage} />
        </>
      )}
    </Loaded>
  );
}
