import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { API, api } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { Copied } from '../parts/copied';
import { SureButton } from '../parts/sure-button';
import { texts } from '../texts';

type Connection = components['schemas']['ConnectionView'];

/** Poll interval while the user signs in at the MCP server in another window. */
const ASKED_EVERY_MS = 2_000;
const t = texts.mcp;

/** The address of an MCP connection, the configuration for a client, and the user's account at the server. */
export function McpWay({ connection }: { readonly connection: Connection }) {
  const { name, mcp_auth: auth } = connection;
  const address = new URL(`${API}/mcp/${encodeURIComponent(name)}`, location.origin).href;
  const configuration = { mcpServers: { [name]: { type: 'http', url: address } } };
  const [isLeaving, setIsLeaving] = useState(false);
  const needs = auth !== undefined && auth !== null && auth.status === 'needs_reauth';
  useFreshConnection(name, isLeaving && needs);
  const connect = api.useMutation('post', '/connections/{nameOrID}/mcp-connect', {
    onSuccess: ({ url }) => {
      setIsLeaving(true);
      window.open(url, 'mcp-connect', 'popup,width=560,height=760');
    },
  });
  const disconnect = api.useMutation('delete', '/connections/{nameOrID}/mcp-connect', {
    onSuccess: () => void queries.invalidateQueries(),
  });
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
            {connect.data !== undefined && (
              <Text role="status">
                {t.elsewhere}{' '}
                <Anchor href={connect.data.url} target="_blank" rel="noreferrer">
                  {t.openPage}
                </Anchor>
              </Text>
            )}
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

/**
 * Polls the connection while the user signs in at the MCP server. This page may stay visible meanwhile, so no
 * focus event would read the connection again.
 */
function useFreshConnection(name: string, enabled: boolean): void {
  const params = { path: { nameOrID: name } };
  api.useQuery('get', '/connections/{nameOrID}', { params }, { enabled, refetchInterval: ASKED_EVERY_MS });
}
