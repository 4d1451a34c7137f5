import { Alert, Button, Stack, Text } from '@mantine/core';
import { API, api } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { Copied } from '../parts/copied';
import { SureButton } from '../parts/sure-button';
import { texts } from '../texts';

const t = texts.mcp;

/** The address of an MCP connection, how a client is told of it, and the account behind it. */
export function McpWay({ connection }: { readonly connection: components['schemas']['ConnectionView'] }) {
  const { name, mcp_auth: auth } = connection;
  const address = new URL(`${API}/mcp/${encodeURIComponent(name)}`, location.origin).href;
  const configuration = { mcpServers: { [name]: { type: 'http', url: address } } };
  const connect = api.useMutation('post', '/connections/{nameOrID}/mcp-connect', {
    onSuccess: ({ url }) => window.open(url, 'mcp-connect', 'popup,width=560,height=760'),
  });
  const disconnect = api.useMutation('delete', '/connections/{nameOrID}/mcp-connect', {
    onSuccess: () => void queries.invalidateQueries(),
  });
  const needs = auth !== undefined && auth !== null && auth.status === 'needs_reauth';
  return (
    <Stack>
      <Copied label={t.address} text={address} />
      <Copied label={t.configuration} text={JSON.stringify(configuration, null, 2)} />
      <Text>{t.signsIn}</Text>
      {needs && (
        <Alert color="yellow" title={t.needs}>
          <Stack align="start">
            <Text>{t.explained}</Text>
            <ChangeFault fault={connect.error} />
            <Button
              loading={connect.isPending}
              onClick={() => connect.mutate({ params: { path: { nameOrID: name } } })}
            >
              {t.connect}
            </Button>
          </Stack>
        </Alert>
      )}
      {auth?.status === 'ok' && (
        <Stack align="start" gap="xs">
          <Text>{t.isConnected}</Text>
          <SureButton
            label={t.disconnect}
            explained={t.forgotten}
            isPending={disconnect.isPending}
            fault={disconnect.error}
            onSure={(done) =>
              disconnect.mutate({ params: { path: { nameOrID: name } } }, { onSuccess: done })
            }
            onLeft={disconnect.reset}
          />
        </Stack>
      )}
    </Stack>
  );
}
