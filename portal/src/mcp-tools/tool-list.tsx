import { Alert, Anchor, Stack, Table, Text, Title } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Listing } from '../parts/listing';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Pager } from '../parts/pager';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { TOOL_STATUSES, type Tool } from './tool';

const t = texts.mcpTools;
const PAGE = 1_000;
const ASKED_EVERY_MS = 5_000;
const route = getRouteApi('/shell/readers/connections/$name/tools');

/** The tools of an MCP server by state. Paused tools come first. */
export function ToolList() {
  const { name } = route.useParams();
  return (
    <Page title={t.title(name)}>
      <Text>{t.explained}</Text>
      <Tools connection={name} />
    </Page>
  );
}

function Tools({ connection }: { readonly connection: string }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery(
    'get',
    '/connections/{nameOrID}/mcp-tools',
    { params: { path: { nameOrID: connection }, query: { page, page_size: PAGE } } },
    { refetchInterval: ASKED_EVERY_MS },
  );
  return (
    <Loaded query={query}>
      {({ data, pages }) => (
        <>
          {pages.total === 0 ? (
            <Text>{t.none}</Text>
          ) : (
            TOOL_STATUSES.map((status) => (
              <Section
                key={status}
                connection={connection}
                status={status}
                tools={data.filter((tool) => tool.status === status)}
              />
            ))
          )}
          <Pager pages={pages} onPage={(to) => void navigate({ search: { page: to } })} />
        </>
      )}
    </Loaded>
  );
}

interface Props {
  readonly connection: string;
  readonly status: Tool['status'];
  readonly tools: readonly Tool[];
}

function Section({ connection, status, tools }: Props) {
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {t.sections[status]} ({tools.length})
      </Title>
      {tools.length === 0 ? <Text>{t.noneIn}</Text> : <Rows connection={connection} tools={tools} />}
    </Stack>
  );
}

function Rows({ connection, tools }: Omit<Props, 'status'>) {
  return (
    <Listing heads={[t.tool, t.changedAt, t.differences]}>
      {tools.map((tool) => (
        <Table.Tr key={tool.id}>
          <Table.Td>
            <Anchor
              renderRoot={(props) => (
                <Link
                  to="/connections/$name/tools/$tool"
                  params={{ name: connection, tool: tool.name }}
                  {...props}
                />
              )}
            >
              <Said text={tool.name} />
            </Anchor>
            {tool.warnings.length > 0 && (
              <Alert color="red" title={t.warnings} mt="xs">
                <Said text={tool.warnings.join(' · ')} />
              </Alert>
            )}
          </Table.Td>
          <Table.Td>
            <Time at={tool.changed_at} />
          </Table.Td>
          <Table.Td>
            {tool.status === 'accepted' ? t.noDifferences : t.differenceCount(tool.differences.length)}
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}
