/** The pages that the gateway makes by itself show the same marks. */
export { nameOf, shownPieces, withNames } from '../../../src/kernel/text/hidden-characters';
