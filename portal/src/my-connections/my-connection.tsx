import { Alert, Anchor, List, Tabs, Text } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { mayAct, readsAll, usePerson } from '../shell/person';
import { texts } from '../texts';
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
              // Rules may differ: a script is reviewed by what it says, a credential by how long it lasts.
              VERBS.map(({ verb, label }) => <Access key={verb} name={name} verb={verb} label={label} />)
            )}
            {mayAct(person) && connection.subtype === 'postgres' && (
              <Anchor renderRoot={(props) => <Link to="/run" search={{ connection: name }} {...props} />}>
                {texts.myConnections.run}
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

const COLORS = { open: 'green', review: 'blue', refused: 'red' } as const;

const VERBS = [
  { verb: 'exec', label: texts.myConnections.run },
  { verb: 'connect', label: t.psql },
] as const;

interface AccessProps {
  readonly name: string;
  readonly verb?: 'exec' | 'connect';
  /** What the verb is called. */
  readonly label?: string;
}

/** The effective policy in sentences. */
function Access({ name, verb, label }: AccessProps) {
  const query = api.useQuery('get', '/connections/{nameOrID}/effective-policy', {
    params: { path: { nameOrID: name }, query: verb === undefined ? {} : { verb } },
  });
  return (
    <Loaded query={query}>
      {({ outcome, reasons, reviewers_groups: groups }) => (
        <Alert
          color={COLORS[outcome]}
          title={label === undefined ? t.outcome[outcome] : `${label}: ${t.outcome[outcome]}`}
        >
          <List>
            {reasons.map(({ code, message }) => (
              <List.Item key={`${code} ${message}`}>
                <Said text={message} />
              </List.Item>
            ))}
            {outcome === 'review' && groups.length > 0 && (
              <List.Item>
                <Said text={t.asked(groups)} />
              </List.Item>
            )}
          </List>
        </Alert>
      )}
    </Loaded>
  );
}
