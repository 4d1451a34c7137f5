/** Shared with the gateway, so that its own pages show hidden characters in the same way. */
export { nameOf, shownPieces, withNames } from '../../../src/kernel/text/hidden-characters';
