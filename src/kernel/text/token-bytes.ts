/** Largest access token of a person, at every port: an Entra token with the ids of 400 groups has 21 kB. */
export const MAX_TOKEN_BYTES = 65_536;
