import { Alert, Anchor, Badge, Button, Code, Group, List, Stack, Title } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, requests } from '../api/client';
import { queries } from '../api/queries';
import { type Tagged, useTagged } from '../api/tagged';
import { ChangeFault } from '../parts/change';
import { FactRow, Facts } from '../parts/facts';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';
import { TOOL_STATUS_COLORS, type Tool } from './tool';
import { ToolDifferences } from './tool-differences';

const t = texts.mcpTools;
const route = getRouteApi('/shell/readers/connections/$name/tools/$tool');

/** The page of one tool with its differences from the accepted version. Admins accept what they see. */
export function ToolPage() {
  const { name, tool } = route.useParams();
  return (
    <Page title={tool}>
      <Anchor renderRoot={(props) => <Link to="/connections/$name/tools" params={{ name }} {...props} />}>
        {t.back}
      </Anchor>
      <One key={`${name}/${tool}`} connection={name} tool={tool} />
    </Page>
  );
}

interface OneProps {
  readonly connection: string;
  readonly tool: string;
}

function One({ connection, tool }: OneProps) {
  const params = { path: { nameOrID: connection, tool } };
  const query = useTagged(['/connections/{nameOrID}/mcp-tools/{tool}', params], () =>
    requests.GET('/connections/{nameOrID}/mcp-tools/{tool}', { params }),
  );
  return <Loaded query={query}>{(read) => <Shown connection={connection} read={read} />}</Loaded>;
}

interface ShownProps {
  readonly connection: string;
  readonly read: Tagged<Tool>;
}

/** Shows the version of the tool that the user began to read. Shows a newer version only on request. */
function Shown({ connection, read }: ShownProps) {
  const person = usePerson();
  const [pinned, setPinned] = useState(read);
  const isOther = read.etag !== pinned.etag;
  const { data: tool, etag } = isOther ? pinned : read;
  const { status, fingerprint, differences, warnings } = tool;
  return (
    <Stack>
      <Group>
        <Badge size="lg" variant="outline" color={TOOL_STATUS_COLORS[status]} role="status">
          {t.statuses[status]}
        </Badge>
      </Group>
      {warnings.length > 0 && (
        <Alert color="red" title={t.warnings}>
          <List>
            {warnings.map((warning) => (
              <List.Item key={warning}>
                <Said text={warning} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Facts>
        <FactRow name={t.listedAt}>
          <Time at={tool.first_listed_at} />
        </FactRow>
        <FactRow name={t.changedAt}>
          <Time at={tool.changed_at} />
        </FactRow>
        {tool.accepted_at !== null && (
          <FactRow name={t.acceptedAt}>
            <Time at={tool.accepted_at} />{' '}
            {tool.accepted_by !== null && <Said text={t.acceptedBy(tool.accepted_by)} />}
          </FactRow>
        )}
        <FactRow name={t.fingerprint}>
          <Code>{fingerprint}</Code>
        </FactRow>
      </Facts>
      <Title order={2} size="h4">
        {t.differenceCount(differences.length)}
      </Title>
      <ToolDifferences differences={differences} />
      {isOther && (
        <Alert color="yellow" role="alert" title={t.changedAgain}>
          <Button variant="default" onClick={() => setPinned(read)}>
            {t.showNow}
          </Button>
        </Alert>
      )}
      {isAdmin(person) && !isOther && (
        <Acceptance key={etag} connection={connection} tool={tool} etag={etag} />
      )}
    </Stack>
  );
}

interface AcceptanceProps {
  readonly connection: string;
  readonly tool: Tool;
  readonly etag: string;
}

/** Accepts exactly the version with this ETag. The gateway refuses if the tool has changed since. */
function Acceptance({ connection, tool, etag }: AcceptanceProps) {
  const accept = api.useMutation('post', '/connections/{nameOrID}/mcp-tools/{tool}/accept', {
    onSettled: () => queries.invalidateQueries(),
  });
  if (tool.status === 'accepted')
    return accept.data === undefined ? null : (
      <Alert color="green" role="status">
        {t.accepted}
      </Alert>
    );
  return (
    <Stack align="start">
      <ChangeFault fault={accept.error} />
      <Button
        loading={accept.isPending}
        onClick={() =>
          accept.mutate({
            params: { path: { nameOrID: connection, tool: tool.name }, header: { 'If-Match': etag } },
          })
        }
      >
        {t.accept}
      </Button>
    </Stack>
  );
}
