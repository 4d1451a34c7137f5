/**
 * Names of connections and access request rules: 3–254 letters, digits and `_`, with single `-` or `.`
 * between them. The separators never overlap with the letters, so the check takes linear time.
 */
export const RESOURCE_NAME = /^[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)*$/;
export const RESOURCE_NAME_MIN = 3;
export const RESOURCE_NAME_MAX = 254;
export const RESOURCE_NAME_RULE = 'must be letters, digits and _, with single - or . between them';
