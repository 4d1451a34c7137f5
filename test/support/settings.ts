import { Settings } from '../../src/config/settings';
import type { TestGateway } from './gateway';

/** Meanwhile the gateway has other settings; it must read them each time that it goes by them. */
export async function withSettings<T>(
  gateway: TestGateway,
  changed: Partial<Settings>,
  work: () => Promise<T>,
): Promise<T> {
  const settings = gateway.app.get(Settings);
  const before = Object.fromEntries(
    Object.keys(changed).map((name) => [name, settings[name as keyof Settings]]),
  );
  Object.assign(settings, changed);
  try {
    return await work();
  } finally {
    Object.assign(settings, before);
  }
}
