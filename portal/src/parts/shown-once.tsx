import { Alert, Text } from '@mantine/core';
import { Copied } from './copied';

interface Props {
  readonly title: string;
  readonly explained: string;
  /** Name of what was created. */
  readonly name: string;
  readonly secret: string;
}

/** Shows the text of a key or a token that was just created. The gateway never shows it again. */
export function ShownOnce({ title, explained, name, secret }: Props) {
  return (
    <Alert color="green" title={title} role="status">
      <Text>{explained}</Text>
      <Copied label={name} text={secret} />
    </Alert>
  );
}
