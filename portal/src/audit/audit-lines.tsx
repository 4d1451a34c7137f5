import { Anchor, Badge, Button, Code, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { components } from '../api/schema';
import { FactRow, Facts } from '../parts/facts';
import { labelsOf } from '../parts/field-labels';
import { Listing } from '../parts/listing';
import { Said } from '../parts/said';
import { SideBySide, changed } from '../parts/side-by-side';
import { Time } from '../parts/time';
import { texts } from '../texts';

type Line = components['schemas']['AuditLineView'];

const t = texts.audit;
const HEADS = [t.at, t.who, t.action, t.what, t.outcome, ''];
const COLORS: Readonly<Record<Line['outcome'], string>> = {
  success: 'green',
  denied: 'red',
  failed: 'orange',
};

/** Lines of the audit log; each opens to its changes, field by field. */
export function AuditLines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <Listing heads={HEADS}>
      {lines.map((line) => (
        <AuditLine key={line.seq} line={line} />
      ))}
    </Listing>
  );
}

function AuditLine({ line }: { readonly line: Line }) {
  const [opened, { toggle }] = useDisclosure();
  const details = useId();
  const { seq, created_at: at, actor, action, resource_type: type, resource_id: id, outcome, status } = line;
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Time at={at} />
        </Table.Td>
        <Table.Td>
          <Said text={actor.email || actor.id} /> {actor.type === 'machine' && `(${t.machine})`}
        </Table.Td>
        <Table.Td>{action}</Table.Td>
        <Table.Td>
          <Said text={id === '' ? type : `${type} ${id}`} />
        </Table.Td>
        <Table.Td>
          <Badge variant="outline" color={COLORS[outcome]}>
            {t.outcomes[outcome]} {status}
          </Badge>
        </Table.Td>
        <Table.Td>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={opened}
            aria-controls={details}
            aria-label={t.detailsOf(seq)}
            onClick={toggle}
          >
            {t.more}
          </Button>
        </Table.Td>
      </Table.Tr>
      <Table.Tr id={details} hidden={!opened}>
        {opened && (
          <Table.Td colSpan={HEADS.length}>
            <Details line={line} />
          </Table.Td>
        )}
      </Table.Tr>
    </>
  );
}

function Details({
  line: { seq, actor, client_address: address, request_id: request, resource_type: type, hash, changes },
}: {
  readonly line: Line;
}) {
  return (
    <Stack>
      <Facts>
        <FactRow name={t.number}>{seq}</FactRow>
        <FactRow name={t.who}>
          <Said text={actor.id} />
        </FactRow>
        <FactRow name={t.address}>
          <Said text={address} />
        </FactRow>
        <FactRow name={t.request}>
          <Anchor renderRoot={(props) => <Link to="/audit" search={{ request_id: request }} {...props} />}>
            <Said text={request} />
          </Anchor>
        </FactRow>
        <FactRow name={t.hash}>
          <Code>{hash}</Code>
        </FactRow>
      </Facts>
      {changes.length === 0 ? (
        <Text>{t.noChanges}</Text>
      ) : (
        <>
          <Title order={2} size="h6">
            {t.changes}
          </Title>
          <SideBySide
            heads={[texts.changes.before, texts.changes.after]}
            rows={changed(changes, labelsOf(type))}
          />
        </>
      )}
    </Stack>
  );
}
