// Creates the connection `orders` of deploy/compose.yaml, as admin. Running it again changes nothing.
const issuer = 'http://localhost:8010/realms/demo';
const api = 'http://localhost:8009/api';

const signIn = await fetch(`${issuer}/protocol/openid-connect/token`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'password',
    client_id: 'access-gateway',
    client_secret: 'demo',
    username: 'admin',
    password: 'admin',
    scope: 'openid email profile',
  }),
});
if (!signIn.ok) throw new Error(`the identity provider answers ${signIn.status}: ${await signIn.text()}`);
const { access_token } = await signIn.json();

const answer = await fetch(`${api}/connections`, {
  method: 'POST',
  headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    name: 'orders',
    type: 'database',
    subtype: 'postgres',
    access_groups: ['*'],
    secret: { HOST: 'target', PORT: '5432', USER: 'app', PASS: 'app', DB: 'orders', SSLMODE: 'disable' },
  }),
});
if (!answer.ok && answer.status !== 409)
  throw new Error(`the gateway answers ${answer.status}: ${await answer.text()}`);
console.log('connection orders is there: http://localhost:8009/');
