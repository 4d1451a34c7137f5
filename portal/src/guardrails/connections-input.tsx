import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useConnectionChoices } from '../api/choices';
import { api } from '../api/client';
import { texts } from '../texts';

const t = texts.guardrails;

interface Props {
  readonly ids: readonly string[];
  readonly onChange: (ids: string[]) => void;
}

/** An input for connection ids. The user finds connections by name at the gateway. */
export function ConnectionsInput({ ids, onChange }: Props) {
  const [search, setSearch] = useState('');
  const [looked] = useDebouncedValue(search, 250);
  const listed = [...useConnectionChoices(), ...useConnectionChoices(looked)];
  const isListed = (id: string): boolean => listed.some((one) => one.id === id);
  const others = useQueries({
    queries: ids
      .filter((id) => !isListed(id))
      .map((id) =>
        api.queryOptions(
          'get',
          '/connections/{nameOrID}',
          { params: { path: { nameOrID: id } } },
          { staleTime: 30_000 },
        ),
      ),
  });
  const names = new Map<string, string>(ids.map((id) => [id, id]));
  for (const { id, name } of [...listed, ...others.flatMap(({ data }) => data ?? [])]) names.set(id, name);
  return (
    <MultiSelect
      label={t.connections}
      value={[...ids]}
      data={[...names].map(([value, label]) => ({ value, label }))}
      onChange={onChange}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={t.nothing}
      maxDropdownHeight={240}
    />
  );
}
