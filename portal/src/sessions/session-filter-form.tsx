import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRestarted } from '../parts/restarted';
import { TimeInput } from '../parts/time-input';
import { texts } from '../texts';
import { FILTERS, type FilterName, type SessionFilters } from './session-filters';

const t = texts.sessions;

interface Props {
  readonly filters: Omit<SessionFilters, 'offset'>;
  readonly onChange: (filters: SessionFilters) => void;
}

/** Form with every filter of the list of sessions. Rare filters are hidden until the user asks for them. */
export function SessionFilterForm({ filters, onChange }: Props) {
  const [given, setGiven] = useRestarted(filters);
  const [isWhole, { toggle }] = useDisclosure();
  const set = (name: FilterName, value: string): void => {
    const { [name]: _old, ...others } = given;
    setGiven(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(given);
      }}
    >
      <Group align="end">
        {FILTERS.filter(({ name, isRare }) => isWhole || isRare !== true || filters[name] !== undefined).map(
          ({ name, choices, isTime }) => {
            const common = { label: t.filters[name] };
            const value = given[name] ?? '';
            if (isTime === true)
              return <TimeInput {...common} key={name} value={value} onChange={(time) => set(name, time)} />;
            if (choices === undefined)
              return (
                <TextInput
                  {...common}
                  key={name}
                  value={value}
                  onChange={({ currentTarget }) => set(name, currentTarget.value)}
                  w={name === 'q' ? 260 : 160}
                />
              );
            return (
              <Select
                {...common}
                key={name}
                value={value === '' ? null : value}
                onChange={(chosen) => set(name, chosen ?? '')}
                data={Object.entries(choices).map(([value, label]) => ({ value, label }))}
                clearable
                w={200}
              />
            );
          },
        )}
        <Button type="submit">{t.search}</Button>
        <Button variant="default" onClick={() => onChange({})}>
          {t.clear}
        </Button>
        <Button variant="default" aria-expanded={isWhole} onClick={toggle}>
          {t.allFilters}
        </Button>
      </Group>
    </form>
  );
}
