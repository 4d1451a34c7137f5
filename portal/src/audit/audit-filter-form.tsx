import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useRestarted } from '../parts/restarted';
import { TimeInput } from '../parts/time-input';
import { texts } from '../texts';
import { AUDIT_FILTERS, type AuditFilterName, type AuditFilters } from './audit-filters';

const t = texts.audit;

interface Props {
  readonly filters: AuditFilters;
  readonly onChange: (filters: AuditFilters) => void;
}

/** A form with every filter of the audit log. */
export function AuditFilterForm({ filters, onChange }: Props) {
  const [given, setGiven] = useRestarted(filters);
  const set = (name: AuditFilterName, value: string): void => {
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
        {AUDIT_FILTERS.map(([name, field]) => {
          const value = given[name] ?? '';
          if (field === 'text')
            return (
              <TextInput
                key={name}
                label={t.filters[name]}
                value={value}
                onChange={({ currentTarget }) => set(name, currentTarget.value)}
                w={180}
              />
            );
          if (field === 'time')
            return (
              <TimeInput
                key={name}
                label={t.filters[name]}
                value={value}
                onChange={(time) => set(name, time)}
              />
            );
          return (
            <Select
              key={name}
              label={t.filters[name]}
              value={value === '' ? null : value}
              onChange={(chosen) => set(name, chosen ?? '')}
              data={[...field]}
              clearable
              w={140}
            />
          );
        })}
        <Button type="submit">{t.search}</Button>
        <Button variant="default" onClick={() => onChange({})}>
          {t.clear}
        </Button>
      </Group>
      <Text size="sm">{t.zone}</Text>
    </form>
  );
}
