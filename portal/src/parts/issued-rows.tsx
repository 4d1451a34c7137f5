import { Badge, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts';
import { Listing } from './listing';
import { Said } from './said';
import { Time } from './time';

/** A key or a token that an admin issued, as the gateway lists it. */
export interface Issued {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ReactNode;
}

interface Props<T> {
  readonly rows: readonly T[];
  /** Columns of this kind of key, after the name. */
  readonly columns: readonly Column<T>[];
  /** Button that revokes. It is not shown for what is revoked. */
  readonly revocation: (row: T) => ReactNode;
}

const t = texts.issued;
const COLORS: Readonly<Record<Issued['status'], string>> = {
  active: 'green',
  expired: 'gray',
  revoked: 'red',
};

/** A table of keys or tokens, without their secret texts. */
export function IssuedRows<T extends Issued>({ rows, columns, revocation }: Props<T>) {
  const heads = columns.map(({ head }) => head);
  return (
    <Listing heads={[t.name, ...heads, t.status, t.expires, t.created, t.creator, '']}>
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td>
            <Said text={row.name} />
          </Table.Td>
          {columns.map(({ head, cell }) => (
            <Table.Td key={head}>{cell(row)}</Table.Td>
          ))}
          <Table.Td>
            <Badge variant="outline" color={COLORS[row.status]}>
              {t.statuses[row.status]}
            </Badge>
          </Table.Td>
          <Table.Td>{row.expires_at === null ? t.never : <Time at={row.expires_at} />}</Table.Td>
          <Table.Td>
            <Time at={row.created_at} />
          </Table.Td>
          <Table.Td>
            <Said text={row.created_by} />
          </Table.Td>
          <Table.Td>{row.status !== 'revoked' && revocation(row)}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}
