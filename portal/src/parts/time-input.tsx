import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts';
import { timeTyped, typedTime } from './local-time';
import { useIsUtc } from './zone';

interface Props {
  readonly label: string;
  readonly description?: string;
  /** Seconds between two times that can be typed. */
  readonly step?: number;
  /** The time in the format of the API; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A time, typed in the zone in which times are shown. */
export function TimeInput({ label, description, step = 1, value, onChange }: Props) {
  const isUtc = useIsUtc();
  const given = typedTime(value, isUtc);
  const [typed, setTyped] = useState(given);
  // The filters were cleared, another address was opened, or the zone was switched.
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
