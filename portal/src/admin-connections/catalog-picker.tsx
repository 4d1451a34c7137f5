import { Badge, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client';
import { Loaded } from '../parts/loaded';
import { Said } from '../parts/said';
import { texts } from '../texts';
import type { CatalogEntry } from './connection';

const t = texts.adminConnections.catalog;
const FIRST = 20;

/** The built-in list of MCP servers. An admin can create a connection from an entry. */
export function CatalogPicker({ onPick }: { readonly onPick: (entry: CatalogEntry) => void }) {
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(FIRST);
  const query = api.useQuery('get', '/mcp-catalog', undefined, { staleTime: Infinity });
  const words = search.toLowerCase().split(/\s+/);
  const isFound = ({ name, description, notes }: CatalogEntry): boolean =>
    words.every((word) => `${name} ${description} ${notes}`.toLowerCase().includes(word));
  return (
    <Stack>
      <TextInput
        label={t.search}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        maw={360}
      />
      <Loaded query={query}>
        {(entries) => {
          const found = entries.filter(isFound);
          return (
            <>
              <Text role="status">{t.found(found.length, entries.length)}</Text>
              {found.slice(0, shown).map((entry) => (
                <Entry key={entry.name} entry={entry} onPick={() => onPick(entry)} />
              ))}
              {found.length > shown && (
                <Button variant="default" onClick={() => setShown(shown + FIRST)}>
                  {texts.actions.more}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

function Entry({ entry, onPick }: { readonly entry: CatalogEntry; readonly onPick: () => void }) {
  return (
    <Paper withBorder p="sm" component="section" aria-label={entry.name}>
      <Stack gap={4}>
        <Group justify="space-between">
          <Text fw={600}>
            <Said text={entry.name} />
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={onPick}
            aria-label={`${t.pick}: ${entry.name}`}
          >
            {t.pick}
          </Button>
        </Group>
        <CatalogFacts entry={entry} />
      </Stack>
    </Paper>
  );
}

/** The catalog's facts about a server. */
export function CatalogFacts({ entry }: { readonly entry: CatalogEntry }) {
  return (
    <>
      <Text size="sm">
        <Said text={entry.description} />
      </Text>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        <Said text={entry.url} />
      </Text>
      <Group gap="xs">
        <Badge variant="outline">{entry.transport}</Badge>
        {entry.auth_modes.map((mode) => (
          <Badge key={mode} variant="outline" color={mode === entry.auth ? 'blue' : 'gray'}>
            {mode === entry.auth ? t.usual(mode) : mode}
          </Badge>
        ))}
      </Group>
      {entry.header !== '' && (
        <Text size="sm">
          {t.header} <Said text={entry.header} />
        </Text>
      )}
      {entry.notes !== '' && (
        <Text size="sm">
          <Said text={entry.notes} />
        </Text>
      )}
    </>
  );
}
