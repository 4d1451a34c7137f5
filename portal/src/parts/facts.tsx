import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** Facts about one thing, by name. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <Table variant="vertical" withTableBorder layout="fixed" style={{ overflowWrap: 'anywhere' }}>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

export function FactRow({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w="35%">
        {name}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}
