import { Anchor, Tabs, Text } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { lazy } from 'react';
import { type Kind, useKindList } from '../api/choices';
import { api } from '../api/client';
import type { components } from '../api/schema';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { patiently } from '../parts/patiently';
import { Said } from '../parts/said';
import { ServerWay } from '../parts/server-way';
import { isAdmin, mayAct, readsAll, usePerson } from '../shell/person';
import { texts } from '../texts';
import { Access } from './access';
import { McpWay } from './mcp-way';
import { CredentialWay } from './credential-way';

const FilesScreen = lazy(patiently(() => import('../files/files-screen')));
const TerminalScreen = lazy(patiently(() => import('../terminal/terminal-screen')));
const t = texts.myConnection;
const route = getRouteApi('/shell/connections/$name');

/** The page of one connection: whether and why the user may open it, and the ways to use it. */
export function MyConnection() {
  const { name } = route.useParams();
  const kinds = useKindList();
  const query = api.useQuery('get', '/connections/{nameOrID}', { params: { path: { nameOrID: name } } });
  return (
    <Page title={name}>
      <Loaded query={query}>
        {(connection) => (
          <Loaded query={kinds}>
            {({ data }) => {
              const kind = data.find(({ subtype }) => subtype === connection.subtype);
              return kind && <Ways kind={kind} connection={connection} />;
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

interface WaysProps {
  readonly kind: Kind;
  readonly connection: components['schemas']['ConnectionView'];
}

function Ways({ kind, connection }: WaysProps) {
  const { name } = connection;
  const person = usePerson();
  const { run } = texts.kinds.scriptsIn(kind.language);
  const client = texts.kinds.clientOf(kind.client_endpoint?.protocol ?? '');
  return (
    <>
      <Text>
        <Said text={connection.description} />
      </Text>
      {kind.runs_scripts ? (
        // Access is decided for each verb: a script is reviewed by its text, a credential by its lifetime.
        <>
          <Access name={name} verb="exec" label={run} />
          <Access name={name} verb="connect" label={client} />
        </>
      ) : (
        <Access name={name} />
      )}
      {mayAct(person) && kind.runs_scripts && (
        <Anchor renderRoot={(props) => <Link to="/run" search={{ connection: name }} {...props} />}>
          {run}
        </Anchor>
      )}
      {isAdmin(person) && (
        <Anchor renderRoot={(props) => <Link to="/admin-connections/$name" params={{ name }} {...props} />}>
          {t.settings}
        </Anchor>
      )}
      {kind.has_mcp_policy && readsAll(person) && (
        <Anchor renderRoot={(props) => <Link to="/connections/$name/tools" params={{ name }} {...props} />}>
          {texts.mcpTools.link}
        </Anchor>
      )}
      {mayAct(person) && <ClientWay kind={kind} connection={connection} />}
    </>
  );
}

/** Shows how to connect with a client of the target's own protocol. */
function ClientWay({ kind: { client_endpoint: endpoint, has_mcp_policy: isMcp }, connection }: WaysProps) {
  if (isMcp) return <McpWay connection={connection} />;
  if (endpoint?.issues_credentials !== true) return null;
  const hasTerminal = texts.kinds.hasTerminal(endpoint.protocol);
  const hasFiles = texts.kinds.hasFiles(endpoint.protocol);
  return (
    <Tabs defaultValue="credential">
      <Tabs.List aria-label={t.ways}>
        <Tabs.Tab value="credential">{texts.kinds.clientOf(endpoint.protocol)}</Tabs.Tab>
        {hasTerminal && <Tabs.Tab value="terminal">{texts.terminal.title}</Tabs.Tab>}
        {hasFiles && <Tabs.Tab value="files">{texts.files.title}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="credential" pt="md">
        <CredentialWay name={connection.name} protocol={endpoint.protocol} />
      </Tabs.Panel>
      {hasTerminal && (
        <Tabs.Panel value="terminal" pt="md">
          <ServerWay
            connection={connection.name}
            heldAs="terminal reason"
            Screen={TerminalScreen}
            texts={texts.terminal}
            asksBeforeLeaving
          />
        </Tabs.Panel>
      )}
      {hasFiles && (
        <Tabs.Panel value="files" pt="md">
          <ServerWay
            connection={connection.name}
            heldAs="files reason"
            Screen={FilesScreen}
            texts={texts.files}
          />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
