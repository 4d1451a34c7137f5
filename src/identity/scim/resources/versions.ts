import { ScimFault } from '../values/scim-fault';

/**
 * Returns the ETag of a version. It is weak, because the order of fields and members may differ (RFC 7644,
 * section 3.14).
 */
export function versionTag(version: number): string {
  return `W/"${version}"`;
}

/** Whether `If-Match` or `If-None-Match` contains the tag of this version, or `*`. */
export function hasTag(header: string, version: number): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(`"${version}"`);
}

/** @throws ScimFault 412 */
export function requireTag(header: string | undefined, version: number): void {
  if (header !== undefined && !hasTag(header, version))
    throw new ScimFault(412, 'the resource has changed since it was read');
}
