/**
 * Signs people in on the Swagger UI: adds a button for `/login`, and reads the token from the URL fragment.
 * Removes the token from the fragment before Swagger UI reads the fragment as a deep link. Runs in the
 * browser, beside Swagger UI's own script.
 */
export const SIGN_IN_SCRIPT = `
(() => {
  const token = new URLSearchParams(location.hash.slice(1)).get('access_token');
  if (token) history.replaceState(null, '', location.pathname);

  const start = () => {
    const bar = document.querySelector('.swagger-ui .scheme-container .schemes');
    if (!window.ui || !bar) return setTimeout(start, 100);
    if (document.getElementById('sign-in')) return;
    if (token) {
      window.ui.authActions.authorize({
        bearer: { name: 'bearer', schema: { type: 'http', scheme: 'bearer' }, value: token },
      });
    }
    const button = document.createElement('button');
    button.id = 'sign-in';
    button.className = 'btn authorize';
    button.textContent = token ? 'Signed in' : 'Sign in';
    button.addEventListener('click', async () => {
      const answer = await fetch(location.pathname.replace(/\\/docs.*$/, '/login'));
      const body = await answer.json();
      if (body.login_url) location.href = body.login_url;
      else button.textContent = body.message;
    });
    bar.append(button);
  };
  window.addEventListener('load', start);
})();
`;
