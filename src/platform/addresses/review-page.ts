/** Path of the pages on which people decide reviews, after the prefix of the API. The review's id follows. */
export const REVIEW_PAGES = '/pages/reviews';

/**
 * Address of the page of a review, for the browser. It is not secret, because the page requires a sign-in.
 *
 * @param apiUrl `API_URL`, without a slash at its end. @param prefix `API_PREFIX`.
 */
export function reviewPageUrl(apiUrl: string, prefix: string, reviewId: string): string {
  return `${apiUrl}${prefix}${REVIEW_PAGES}/${reviewId}`;
}
