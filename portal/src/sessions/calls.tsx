import { Badge, Table } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client';
import { Listing } from '../parts/listing';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { texts } from '../texts';

const t = texts.session;
const PAGE = 100;

/** The messages of an MCP session with their verdicts. */
export function Calls({ id }: { readonly id: string }) {
  const [page, setPage] = useState(1);
  const query = api.useQuery('get', '/sessions/{session_id}/mcp-calls', {
    params: { path: { session_id: id }, query: { page, page_size: PAGE } },
  });
  return (
    <PagedList query={query} none={t.noCalls} onPage={setPage}>
      {(calls) => (
        <Listing heads={[t.at, t.method, t.name, t.verdict, t.duration, t.size]}>
          {calls.map((call, at) => (
            <Table.Tr key={at}>
              <Table.Td>
                <Time at={call.at} />
              </Table.Td>
              <Table.Td>
                <Said text={call.method} />
              </Table.Td>
              <Table.Td>
                <Said text={call.name ?? ''} />
              </Table.Td>
              <Table.Td>
                <Badge variant="outline" color={call.verdict === 'forwarded' ? 'green' : 'red'}>
                  {call.verdict}
                </Badge>
              </Table.Td>
              <Table.Td>{call.duration_ms} ms</Table.Td>
              <Table.Td>{call.result_bytes.toLocaleString()}</Table.Td>
            </Table.Tr>
          ))}
        </Listing>
      )}
    </PagedList>
  );
}
