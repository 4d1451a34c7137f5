import { Authenticator } from '../../src/gate/ports/authenticator';
import { describeHostileProvider } from '../support/describe';
import { whoIs } from '../support/callers';

describeHostileProvider(
  'tokens that begin like those of our own authorization server',
  ({ provider, gateway }) => {
    it('are never sent to the identity provider, whatever it says of them', async () => {
      provider.userinfo = { status: 200, body: { sub: 'olga', groups: ['admin'] } };
      for (const token of ['gwt_', 'gwt_x', `gwt_${'A'.repeat(43)}`, 'gwt_a.b.c']) {
        const answer = await whoIs(gateway, token);
        expect([token, answer.status, answer.body.message]).toEqual([
          token,
          401,
          'the access token is not valid: it is unknown, or was revoked',
        ]);
      }
      expect(provider.count('/userinfo')).toBe(0);
    });

    it('leave other credentials as they are, at an MCP endpoint too', async () => {
      provider.userinfo = { status: 200, body: { sub: 'olga', groups: [] } };
      const resource = `${gateway.api}/mcp/any`;
      const olga = await gateway.app
        .get(Authenticator)
        .identify({ bearer: 'olgas-token', address: '127.0.0.1', resource });
      expect(olga.subject).toBe('olga');
    });
  },
);
