import { Alert, Button, List, Stack, Title } from '@mantine/core';
import { api } from '../api/client';
import { ApiFault } from '../api/api-fault';
import { FactRow, Facts } from '../parts/facts';
import { wordsOf } from '../parts/fault-text';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { texts } from '../texts';

const t = texts.health;
const ASKED_EVERY_MS = 10_000;

/** Shows whether the gateway is ready, which parts are degraded, and its configuration. */
export function Health() {
  return (
    <Page title={t.title}>
      <Readiness />
      <Title order={2} size="h4">
        {t.configuration}
      </Title>
      <Configuration />
    </Page>
  );
}

function Readiness() {
  const query = api.useQuery('get', '/readyz', {}, { retry: false, refetchInterval: ASKED_EVERY_MS });
  const { error } = query;
  return (
    <Stack align="start">
      {error instanceof ApiFault && error.status === 503 ? (
        <Alert color="red" role="alert" title={t.notReady} w="100%">
          <Said text={wordsOf(error)} />
        </Alert>
      ) : (
        <Loaded query={query}>
          {({ warnings }) => (
            <Alert
              color={warnings.length === 0 ? 'green' : 'yellow'}
              title={warnings.length === 0 ? t.ready : t.partly}
              role="status"
              w="100%"
            >
              {warnings.length > 0 && (
                <List>
                  {warnings.map((warning) => (
                    <List.Item key={warning}>
                      <Said text={warning} />
                    </List.Item>
                  ))}
                </List>
              )}
            </Alert>
          )}
        </Loaded>
      )}
      <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t.again}
      </Button>
    </Stack>
  );
}

function Configuration() {
  const query = api.useQuery('get', '/serverinfo');
  return (
    <Loaded query={query}>
      {(info) => (
        <Facts>
          <FactRow name={t.programVersion}>{info.program_version}</FactRow>
          <FactRow name={t.version}>{info.version}</FactRow>
          <FactRow name={t.schemaVersion}>{info.schema_version}</FactRow>
          <FactRow name={t.databaseSchema}>{info.database_schema_version}</FactRow>
          <FactRow name={t.api}>{info.api_url}</FactRow>
          <FactRow name={t.issuer}>{info.idp_issuer}</FactRow>
          <FactRow name={t.signIn}>{info.auth_method}</FactRow>
          <FactRow name={t.adminGroup}>
            <Said text={info.admin_group} />
          </FactRow>
          <FactRow name={t.auditorGroup}>
            <Said text={info.auditor_group} />
          </FactRow>
          <FactRow name={t.accessControl}>{info.features.access_control ? t.on : t.off}</FactRow>
          <FactRow name={t.review}>{info.features.review ? t.on : t.off}</FactRow>
        </Facts>
      )}
    </Loaded>
  );
}
