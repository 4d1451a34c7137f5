// npm run test:bodies: every shape of the worst bodies, for every route that takes one; npm test sends a few of each.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npx', ['jest', '-i', 'test/http/bodies'], {
  stdio: 'inherit',
  env: { ...process.env, BODY_SHAPES: 'all' },
});
process.exit(status ?? 1);
