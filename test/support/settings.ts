import { Settings } from '../../src/platform/config/settings';
import type { TestGateway } from './gateway';

type Changes = { readonly [G in keyof Settings]?: Partial<Settings[G]> };

/** Runs the work with changed settings. Works only for settings that the gateway reads at each use. */
export async function withSettings<T>(
  gateway: TestGateway,
  changes: Changes,
  work: () => Promise<T>,
): Promise<T> {
  const settings = gateway.app.get(Settings);
  const changed = Object.entries(changes).map(([name, fresh]) => {
    const group = settings[name as keyof Settings];
    return { group, fresh, before: { ...group } };
  });
  for (const { group, fresh } of changed) Object.assign(group, fresh);
  try {
    return await work();
  } finally {
    for (const { group, before } of changed) Object.assign(group, before);
  }
}
