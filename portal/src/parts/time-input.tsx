import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts';
import { timeTyped, typedTime } from './local-time';
import { useIsUtc } from './zone';

interface Props {
  readonly label: string;
  readonly description?: string;
  /** Step between the selectable times, in seconds. */
  readonly step?: number;
  /** The time in the format of the API; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An input for a time, in the zone in which the portal shows times. */
export function TimeInput({ label, description, step = 1, value, onChange }: Props) {
  const isUtc = useIsUtc();
  const given = typedTime(value, isUtc);
  const [typed, setTyped] = useState(given);
  // The value changed from outside: the filters were cleared, the URL changed, or the zone was switched.
  if (timeTyped(typed, isUtc) !== timeTyped(given, isUtc)) setTyped(given);
  return (
    <TextInput
      label={isUtc ? texts.editing.inUtc(label) : label}
      description={description}
      type="datetime-local"
      step={step}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(timeTyped(currentTarget.value, isUtc) ?? '');
      }}
    />
  );
}
