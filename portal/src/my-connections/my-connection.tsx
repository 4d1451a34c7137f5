import { Anchor, Tabs, Text } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { isAdmin, mayAct, readsAll, usePerson } from '../shell/person';
import { texts } from '../texts';
import { Access } from './access';
import { McpWay } from './mcp-way';
import { PsqlWay } from './psql-way';

const t = texts.myConnection;
const route = getRouteApi('/shell/connections/$name');

/** One connection: whether the person may open it and why, and the ways through it. */
export function MyConnection() {
  const { name } = route.useParams();
  const person = usePerson();
  const query = api.useQuery('get', '/connections/{nameOrID}', { params: { path: { nameOrID: name } } });
  return (
    <Page title={name}>
      <Loaded query={query}>
        {(connection) => (
          <>
            <Text>
              <Said text={connection.description} />
            </Text>
            {connection.subtype === 'mcpproxy' ? (
              <Access name={name} />
            ) : (
              // Rules may differ: a script is reviewed for its text, a credential for its lifetime.
              VERBS.map(({ verb, label }) => <Access key={verb} name={name} verb={verb} label={label} />)
            )}
            {mayAct(person) && connection.subtype === 'postgres' && (
              <Anchor renderRoot={(props) => <Link to="/run" search={{ connection: name }} {...props} />}>
                {texts.myConnections.run}
              </Anchor>
            )}
            {isAdmin(person) && (
              <Anchor
                renderRoot={(props) => <Link to="/admin-connections/$name" params={{ name }} {...props} />}
              >
                {t.settings}
              </Anchor>
            )}
            {connection.subtype === 'mcpproxy' && readsAll(person) && (
              <Anchor
                renderRoot={(props) => <Link to="/connections/$name/tools" params={{ name }} {...props} />}
              >
                {texts.mcpTools.link}
              </Anchor>
            )}
            {mayAct(person) &&
              (connection.subtype === 'mcpproxy' ? (
                <McpWay connection={connection} />
              ) : (
                <Tabs defaultValue="psql">
                  <Tabs.List aria-label={t.ways}>
                    <Tabs.Tab value="psql">{t.psql}</Tabs.Tab>
                  </Tabs.List>
                  <Tabs.Panel value="psql" pt="md">
                    <PsqlWay name={name} />
                  </Tabs.Panel>
                </Tabs>
              ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const VERBS = [
  { verb: 'exec', label: texts.myConnections.run },
  { verb: 'connect', label: t.psql },
] as const;
