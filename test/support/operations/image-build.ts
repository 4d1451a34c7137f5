import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import dockerignore from '@balena/dockerignore';
import { ROOT } from '../root';
import { type ImageStage, type ImageStep, imageStages } from './image-file';

/**
 * Folders of this machine that replace the base image, mounted read-only: the system, and the Node.js that
 * runs this process.
 */
const BASE = ['usr', 'etc'];
const NODE = '/opt/node';
const PATH = `${NODE}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin`;

/** An image, as the folder that would be its root. */
export interface BuiltImage {
  readonly root: string;
  readonly stage: ImageStage;
  readonly user: string;
  readonly folder: string;
}

/** Why a Dockerfile cannot be replayed here; undefined: it can. */
export function whyNoReplay(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
  try {
    execFileSync('unshare', ['--mount', '--net', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'no namespaces of its own are allowed here';
  }
}

/**
 * Runs the Dockerfile step by step. Each stage has its own root folder below `folder`. `npm ci` can reach its
 * registry; no other step has network access.
 */
export async function buildImage(folder: string): Promise<BuiltImage> {
  const context = join(folder, 'context');
  await fillContext(context);
  const stages = imageStages(await readFile(join(ROOT, 'Dockerfile'), 'utf8'));
  const roots = new Map<string, string>();
  let image: BuiltImage | undefined;
  for (const [place, stage] of stages.entries()) {
    const root = join(folder, stage.name ?? `stage-${place}`);
    roots.set(stage.name ?? String(place), root);
    await makeRoot(root);
    let [workdir, user] = ['/', '0:0'];
    for (const step of stage.steps) {
      const [word = ''] = step.words;
      if (step.keyword === 'WORKDIR') await mkdir(join(root, (workdir = word)), { recursive: true });
      else if (step.keyword === 'USER') user = word;
      else if (step.keyword === 'RUN') await runStep(root, workdir, step);
      else await copy(step, { root, workdir, source: sourceOf(step, context, roots) });
    }
    image = { root, stage, user, folder: workdir };
  }
  if (image === undefined) throw new Error('the Dockerfile has no stage');
  return image;
}

/**
 * Returns the command line that runs a command in the image, without privileges. The root is read-only,
 * except for /tmp and the volumes. The command replaces the shell that starts it (`exec`).
 */
export function commandIn(
  { root, stage, user, folder }: BuiltImage,
  command: readonly string[],
  volume: string,
): [string, ...string[]] {
  const [uid = '', gid = ''] = user.split(':');
  const volumes = stage.volumes.map((path) => `mount --bind "$VOLUME" "$ROOT${path}"`);
  const script = [
    ...mounts(),
    'mount -o remount,bind,ro "$ROOT"',
    'mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"',
    ...volumes,
    'unset ROOT NODE VOLUME',
    `exec chroot ${JSON.stringify(root)} setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set=-all ` +
      `env --chdir=${folder} PATH=${PATH} "$@"`,
  ];
  const outside = [`ROOT=${root}`, `NODE=${dirname(process.execPath)}`, `VOLUME=${volume}`];
  return ['env', ...outside, 'unshare', '--mount', 'sh', '-ec', script.join('\n'), 'sh', ...command];
}

/** Copies the files that docker would use: the files that neither git nor .dockerignore excludes. */
async function fillContext(context: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const rules = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).split('\n');
  const files = dockerignore()
    .add(rules)
    .filter(listed.split('\0').filter((file) => file !== ''));
  for (const file of files) {
    await mkdir(dirname(join(context, file)), { recursive: true });
    await cp(join(ROOT, file), join(context, file));
  }
}

async function makeRoot(root: string): Promise<void> {
  for (const folder of [...BASE, 'proc', 'dev', 'tmp', 'root/.npm', NODE.slice(1)])
    await mkdir(join(root, folder), { recursive: true });
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) await symlink(`usr/${name}`, join(root, name));
  await writeFile(join(root, 'root/.npmrc'), '');
}

function mounts(): string[] {
  return [
    'mount --make-rprivate /',
    'mount --bind "$ROOT" "$ROOT"',
    ...BASE.map((name) => `mount --bind /${name} "$ROOT/${name}"; mount -o remount,bind,ro "$ROOT/${name}"`),
    `mount --bind "$NODE" "$ROOT${NODE}"; mount -o remount,bind,ro "$ROOT${NODE}"`,
    'mount --rbind /proc "$ROOT/proc"',
    'mount --rbind /dev "$ROOT/dev"',
  ];
}

async function runStep(root: string, workdir: string, { script, line }: ImageStep): Promise<void> {
  const needsRegistry = /^npm ci\b/.test(script);
  const home = homedir();
  const inside = [
    ...mounts(),
    // Mounts the npm settings and cache of the user who runs the build.
    ...['.npm', '.npmrc'].map(
      (name) => `[ ! -e "${home}/${name}" ] || mount --bind "${home}/${name}" "$ROOT/root/${name}"`,
    ),
    `exec chroot "$ROOT" env --chdir=${workdir} HOME=/root PATH=${PATH} sh -ec "$SCRIPT"`,
  ];
  const namespaces = ['--mount', ...(needsRegistry ? [] : ['--net'])];
  try {
    await promisify(execFile)('unshare', [...namespaces, 'sh', '-ec', inside.join('\n')], {
      env: { ...passedOn(), ROOT: root, NODE: dirname(process.execPath), SCRIPT: script },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`line ${line} of the Dockerfile failed:\n${stdout ?? ''}${stderr ?? ''}`, {
      cause: error,
    });
  }
}

/**
 * Returns the environment variables that the connection to the npm registry may need. Leaves out the
 * variables that the surrounding `npm run` sets, because they point to this repository.
 */
function passedOn(): NodeJS.ProcessEnv {
  const isNeeded = (name: string): boolean =>
    /^(path|node_extra_ca_certs|https?_proxy|no_proxy)$/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isNeeded(name)));
}

function sourceOf({ from, line }: ImageStep, context: string, roots: ReadonlyMap<string, string>): string {
  const root = from === undefined ? context : roots.get(from);
  if (root === undefined) throw new Error(`line ${line} copies from a stage that is not there`);
  return root;
}

/**
 * Copies like docker: the content of a folder goes into the target folder. A file goes into a target that
 * ends with `/`; otherwise the target is its new name.
 */
async function copy(
  { words }: ImageStep,
  { root, workdir, source }: { readonly root: string; readonly workdir: string; readonly source: string },
): Promise<void> {
  const last = words.at(-1) ?? '';
  const to = join(root, resolve(workdir, last));
  const isFolder = last.endsWith('/');
  for (const word of words.slice(0, -1)) {
    const path = join(source, word);
    const isFile = (await stat(path)).isFile();
    const target = isFile && isFolder ? join(to, basename(word)) : to;
    await mkdir(isFile ? dirname(target) : target, { recursive: true });
    await cp(path, target, { recursive: true, verbatimSymlinks: true });
  }
}
