/** Path of the pages on which people decide, below the prefix of the API. The id of the review follows. */
export const REVIEW_PAGES = '/pages/reviews';

/**
 * Address of the page of a review, for the browser. It is no secret: the page asks who opens it.
 *
 * @param apiUrl `API_URL`, without a slash at its end. @param prefix `API_PREFIX`.
 */
export function reviewPageUrl(apiUrl: string, prefix: string, reviewId: string): string {
  return `${apiUrl}${prefix}${REVIEW_PAGES}/${reviewId}`;
}
