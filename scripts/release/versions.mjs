// Finds and writes the version of the program. Clients, chart and image are released in the same version.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFEST = /^ {2}"version": "([^"]+)"/m;

/** Files with the version, each with a pattern. The first group of the pattern is the version. */
const PLACES = [
  ['package.json', MANIFEST],
  ['portal/package.json', MANIFEST],
  ['clients/cli/package.json', MANIFEST],
  ['clients/cli/package.json', /"@access-gateway\/client": "([^"]+)"/],
  ['clients/typescript/package.json', MANIFEST],
  ['package-lock.json', MANIFEST],
  ['package-lock.json', /^ {4}"": \{\n {6}"name": "access-gateway",\n {6}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {4}"portal": \{\n(?: {6}"name": .*\n)? {6}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {4}"clients\/cli": \{\n {6}"name": .*\n {6}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {8}"@access-gateway\/client": "([^"]+)"/m],
  ['package-lock.json', /^ {4}"clients\/typescript": \{\n {6}"name": .*\n {6}"version": "([^"]+)"/m],
  ['src/kernel/runtime/program-version.ts', /PROGRAM_VERSION = '([^']+)'/],
  ['clients/cli/src/program.ts', /'gateway ([^,]+), API/],
  ['clients/cli/src/sign-in/oauth.ts', /gateway-cli\/(\S+) /],
  ['clients/python/pyproject.toml', /^version = "([^"]+)"/m],
  ['clients/python/src/access_gateway/version.py', /^__version__ = "([^"]+)"/m],
  ['clients/go/client.go', /^const Version = "([^"]+)"/m],
  ['clients/go/README.md', /`clients\/go\/v([^`]+)`/],
  ['clients/terraform/go.mod', /clients\/go v(\S+)/],
  ['clients/terraform/README.md', /`clients\/terraform\/v([^`]+)`/],
  ['clients/java/pom.xml', /^ {2}<version>([^<]+)</m],
  ['clients/java/README.md', /<version>([^<]+)</],
  ['clients/java/src/main/java/io/accessgateway/client/Gateway.java', /VERSION = "([^"]+)"/],
  ['deploy/helm/access-gateway/Chart.yaml', /^version: (\S+)/m],
  ['deploy/helm/access-gateway/Chart.yaml', /^appVersion: '([^']+)'/m],
];

/** Form of a version. It has numbers alone, because there are no pre-releases. */
export const RELEASED = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;

export function versionOf(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

/** Returns the places whose version differs from the version in `package.json`, each with its version. */
export function faultsOfVersions(root) {
  const version = versionOf(root);
  if (!RELEASED.test(version)) return [`package.json: ${version} is no version such as 1.2.3`];
  return PLACES.flatMap(([file, pattern]) => {
    const found = pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1];
    return found === version ? [] : [`${file} has ${found ?? 'no version'}, package.json ${version}`];
  });
}

/** Writes the version in each place. */
export function writeVersion(root, version) {
  if (!RELEASED.test(version)) throw new Error(`${version} is no version such as 1.2.3`);
  for (const [file, pattern] of PLACES) {
    const text = readFileSync(join(root, file), 'utf8');
    const found = pattern.exec(text);
    if (found === null) throw new Error(`${file} has no version`);
    const [whole, old] = found;
    const end = found.index + whole.length;
    const written = whole.replace(old, () => version);
    writeFileSync(join(root, file), `${text.slice(0, found.index)}${written}${text.slice(end)}`);
  }
}
