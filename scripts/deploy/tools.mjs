// Programs and schemas that checks of deploy/ need. They come from the Go module proxy and from PyPI, in
// fixed versions, and stay in a folder outside of the repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.DEPLOY_TOOLS ?? join(homedir(), '.cache', 'access-gateway-tools');

const PROGRAMS = {
  // Built only with --install, because that takes four minutes on a busy machine with two cores.
  helm: { module: 'helm.sh/helm/v3/cmd/helm@v3.19.5', built: 'helm', isSlow: true },
  // The loader of docker compose itself, with the schema of the Compose Specification. It is built in ten
  // seconds.
  compose: { module: 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2', built: 'cmd', isSlow: false },
};
const SCHEMAS = 'kubernetes-validate==1.37.0';

/** Returns the path of a program; undefined when it is not installed and cannot be built now. */
export function program(name, { install }) {
  const { module, built, isSlow } = PROGRAMS[name];
  const folder = join(cache, `${name}-${module.split('@')[1]}`);
  const path = join(folder, built);
  if (existsSync(path)) return path;
  if (isSlow && !install) return undefined;
  const { status } = spawnSync('go', ['install', '-trimpath', module], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-buildvcs=false' },
    stdio: ['ignore', 2, 'inherit'],
  });
  return status === 0 ? path : undefined;
}

/** A folder with the JSON schemas of Kubernetes, by version; undefined without pip. */
export function kubernetesSchemas() {
  const folder = join(cache, SCHEMAS.replace('==', '-'));
  const schemas = join(folder, 'kubernetes_validate', 'kubernetes-json-schema');
  if (existsSync(schemas)) return schemas;
  mkdirSync(folder, { recursive: true });
  const options = ['install', '--quiet', '--no-deps', '--no-compile', '--target', folder, SCHEMAS];
  const { status } = spawnSync('python3', ['-m', 'pip', ...options], { stdio: ['ignore', 2, 'inherit'] });
  return status === 0 ? schemas : undefined;
}

/** Runs a program to its end. */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  return { isRight: status === 0, stdout: stdout ?? '', stderr: stderr || String(error ?? '') };
}
