/** Maximum size of a person's access token at every port. An Entra token with 400 group ids has 21 kB. */
export const MAX_TOKEN_BYTES = 65_536;
