import type { Settings } from '../../../platform/config/settings';
import { AuthorizationMetadata } from './metadata';

/** Metadata made from only those settings that the class reads. */
function metadataOf(apiUrl: string, authorization: 'gateway' | 'idp' = 'gateway'): AuthorizationMetadata {
  return new AuthorizationMetadata({
    http: { apiUrl, apiPrefix: '/api/v1', port: 8009 },
    mcp: { authorization, ownHosts: [] as string[] },
    identityProvider: { issuer: 'https://idp.example.com', scopes: 'openid groups' },
  } as Settings);
}

describe('the documents below /.well-known/', () => {
  it('are found behind a proxy that removes the path of API_URL, and behind one that does not', () => {
    const metadata = metadataOf('https://example.com/gateway');
    for (const path of ['', '/gateway']) {
      expect(metadata.find(`/.well-known/oauth-authorization-server${path}`)).toMatchObject({
        issuer: 'https://example.com/gateway',
        token_endpoint: 'https://example.com/gateway/api/v1/oauth/token',
      });
      expect(metadata.find(`/.well-known/oauth-protected-resource${path}/api/v1/mcp/linear`)).toMatchObject({
        resource: 'https://example.com/gateway/api/v1/mcp/linear',
        authorization_servers: ['https://example.com/gateway'],
      });
    }
  });

  it.each([
    '/.well-known/oauth-authorization-server/other',
    '/.well-known/oauth-authorization-server/',
    '/.well-known/oauth-protected-resource/api/mcp/linear',
    '/.well-known/oauth-protected-resource/gateway/gateway/api/v1/mcp/linear',
    `/.well-known/oauth-protected-resource/api/v1/mcp/${'x'.repeat(255)}`,
    '/.well-known/oauth-protected-resource/api/v1/mcp/a%2fb',
    '/.well-known/security.txt',
    '/',
  ])('are not at %s', (path) => {
    expect(metadataOf('https://example.com/gateway').find(path)).toBeUndefined();
    expect(metadataOf('https://example.com').find(path)).toBeUndefined();
  });

  it('lead to the identity provider with its own scopes, where it issues the tokens', () => {
    const metadata = metadataOf('https://example.com', 'idp');
    expect(metadata.find('/.well-known/oauth-authorization-server')).toBeUndefined();
    expect(metadata.find('/.well-known/oauth-protected-resource/api/v1/mcp/linear')).toMatchObject({
      authorization_servers: ['https://idp.example.com'],
      scopes_supported: ['openid', 'groups'],
    });
  });
});
