// Makes the parts of a release in a folder, and checks each part. If the tool for a part is not installed,
// reports the part as not tried.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, run } from '../deploy/tools.mjs';

/** Files that the npm package must have. */
const IN_CLIENT = [
  'LICENSE',
  'README.md',
  'package.json',
  'dist/index.js',
  'dist/index.d.ts',
  'src/index.ts',
];
const SECRETS = /(?:^|\/)\.env|\.pem$|\.key$|(?:^|\/)\.npmrc$/;

/**
 * Functions that make the artifacts. Each accepts { root, folder, version } and returns { made, notTried,
 * wrong }.
 */
export const ARTIFACTS = { 'npm package': npmPackage, 'command line': commandLine, SBOM: sbom, chart, image };

function npmPackage({ root, folder, version }) {
  const workspace = 'clients/typescript';
  const packed = run('npm', ['pack', '--workspace', workspace, '--pack-destination', folder, '--json'], {
    cwd: root,
  });
  if (!packed.isRight) return fault(`npm pack: ${packed.stderr}`);
  // Skips the output of the build, which runs first. npm 11 prints a list, later versions an object by name.
  const answer = JSON.parse(packed.stdout.slice(packed.stdout.search(/^[[{]/m)));
  const { filename, version: has, files } = Object.values(answer)[0];
  const paths = files.map(({ path }) => path);
  const wrong = [
    ...IN_CLIENT.filter((file) => !paths.includes(file)).map((file) => `${filename} lacks ${file}`),
    ...paths.filter((file) => SECRETS.test(file)).map((file) => `${filename} has ${file}`),
    ...paths.filter((file) => /\.spec\.|\.test\./.test(file)).map((file) => `${filename} has ${file}`),
    ...(has === version ? [] : [`${filename} has version ${has}`]),
  ];
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  const index = join(unpacked, 'package/dist/index.js');
  const isLoaded =
    run('tar', ['-xzf', join(folder, filename), '-C', unpacked]).isRight &&
    run(process.execPath, ['--input-type=module', '-e', `await import(${JSON.stringify(index)})`]).isRight;
  if (!isLoaded) wrong.push(`${filename} cannot be imported`);
  return { made: [`${filename}, ${paths.length} files`], notTried: [], wrong };
}

/** Makes the command line, and runs its file in a folder without other files. */
function commandLine({ root, folder, version }) {
  const built = run(process.execPath, [join(root, 'scripts/bundle-cli.mjs')], { cwd: root });
  if (!built.isRight) return fault(`bundle-cli: ${built.stderr}`);
  const alone = join(folder, 'cli');
  mkdirSync(alone);
  copyFileSync(join(root, 'dist/cli/gateway.mjs'), join(alone, 'gateway.mjs'));
  const said = run(process.execPath, ['gateway.mjs', '--version'], { cwd: alone }).stdout.trim();
  const isRight = said.startsWith(`gateway ${version}, API `);
  return { made: [`cli/gateway.mjs: ${said}`], notTried: [], wrong: isRight ? [] : [`it says ${said}`] };
}

/**
 * Writes the same CycloneDX SBOM as the image has. `--omit=dev` would also omit packages that are used both
 * in production and in development.
 */
function sbom({ root, folder, version }) {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const written = run('npm', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  if (!written.isRight) return fault(`npm sbom: ${written.stderr}`);
  writeFileSync(join(folder, 'access-gateway.cdx.json'), written.stdout);
  const { metadata, components } = JSON.parse(written.stdout);
  const listed = new Map(
    components.map(({ group, name, version: has }) => [group ? `${group}/${name}` : name, has]),
  );
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const missing = Object.keys(dependencies).filter((name) => !listed.has(name));
  return {
    made: [`access-gateway.cdx.json, ${components.length} components`],
    notTried: [],
    wrong: [
      ...missing.map((name) => `the SBOM lacks ${name}`),
      ...(metadata.component.version === version ? [] : [`the SBOM is of ${metadata.component.version}`]),
    ],
  };
}

function chart({ root, folder, version }) {
  const helm = run('helm', ['version']).isRight ? 'helm' : program('helm', { install: false });
  if (helm === undefined)
    return {
      made: [],
      notTried: ['helm is not here: npm run test:deploy -- --install builds it'],
      wrong: [],
    };
  const args = ['package', join(root, 'deploy/helm/access-gateway'), '--destination', folder];
  const packed = run(helm, args);
  if (!packed.isRight) return fault(`helm package: ${packed.stderr}`);
  const file = `access-gateway-${version}.tgz`;
  const values = join(root, 'deploy/helm/access-gateway/ci/smallest-values.yaml');
  const linted = run(helm, ['lint', '--strict', '--quiet', join(folder, file), '--values', values]);
  return { made: [file], notTried: [], wrong: linted.isRight ? [] : [`helm lint: ${linted.stdout}`] };
}

function image({ root, version }) {
  if (!run('docker', ['info']).isRight)
    return { made: [], notTried: ['there is no Docker daemon: docker build'], wrong: [] };
  const name = `access-gateway:${version}`;
  const built = run('docker', ['build', '--quiet', '--tag', name, root], { maxBuffer: 64 * 1024 * 1024 });
  if (!built.isRight) return fault(`docker build: ${built.stderr}`);
  const said = run('docker', ['run', '--rm', name, '--version']).stdout.trim();
  const isRight = said.startsWith(`access-gateway ${version}, API `);
  return { made: [`${name}: ${said}`], notTried: [], wrong: isRight ? [] : [`the image says ${said}`] };
}

function fault(sentence) {
  return { made: [], notTried: [], wrong: [sentence] };
}
