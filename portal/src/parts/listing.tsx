import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** Headings of the columns; empty for a column of buttons. */
  readonly heads: readonly string[];
  /** Rows of the table. */
  readonly children: ReactNode;
}

/** A table that scrolls horizontally on narrow screens. */
export function Listing({ heads, children }: Props) {
  return (
    <Table.ScrollContainer minWidth={110 * heads.length}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) =>
              head === '' ? <Table.Td key={head} /> : <Table.Th key={head}>{head}</Table.Th>,
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
