/** Shared with the gateway, so that the pages of both show hidden characters in the same way. */
export { nameOf, shownPieces, withNames } from '../../../src/kernel/text/hidden-characters';
