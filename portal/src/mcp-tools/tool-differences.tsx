import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { components } from '../api/schema';
import { Difference } from '../parts/difference';
import { Said } from '../parts/said';
import { texts } from '../texts';
import classes from './tool-differences.module.css';

type Difference = components['schemas']['McpToolDifferenceView'];

const t = texts.mcpTools;

/** Differences between a tool's current description and the accepted one, by JSON path. */
export function ToolDifferences({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0) return <Text>{t.noDifferences}</Text>;
  return (
    <Stack component="ul" p={0} m={0} className={classes['list'] ?? ''}>
      {differences.map((difference) => (
        <Paper key={difference.path} component="li" withBorder p="sm">
          <One difference={difference} />
        </Paper>
      ))}
    </Stack>
  );
}

const COLORS = { added: 'green', removed: 'red', changed: 'blue' } as const;

function One({ difference: { path, before, after } }: { readonly difference: Difference }) {
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text fw={600} className={classes['wrapped'] ?? ''}>
          <Said text={path === '' ? '/' : path} />
        </Text>
        <Badge variant="outline" color={COLORS[kind]}>
          {t[kind]}
        </Badge>
      </Group>
      <Difference before={before ?? ''} after={after ?? ''} />
    </Stack>
  );
}
