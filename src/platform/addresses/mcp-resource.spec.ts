import {
  connectionOfResource,
  mcpResource,
  resourceMetadataUrl,
  resourcePathOfMetadata,
} from './mcp-resource';

const HERE = ['https://gateway.example.com', '/api'] as const;
const BELOW = ['https://example.com/gateway', '/api/v1'] as const;

describe('the resource of an MCP endpoint', () => {
  it('is its URL, and its metadata are at the root of the host', () => {
    expect(mcpResource(...HERE, 'linear')).toBe('https://gateway.example.com/api/mcp/linear');
    expect(resourceMetadataUrl(...HERE, 'linear')).toBe(
      'https://gateway.example.com/.well-known/oauth-protected-resource/api/mcp/linear',
    );
    expect(resourceMetadataUrl(...BELOW, 'linear')).toBe(
      'https://example.com/.well-known/oauth-protected-resource/gateway/api/v1/mcp/linear',
    );
    expect(resourcePathOfMetadata('/.well-known/oauth-protected-resource/api/mcp/linear')).toBe(
      '/api/mcp/linear',
    );
    expect(resourcePathOfMetadata('/.well-known/oauth-protected-resourceful/x')).toBeUndefined();
  });

  it.each([HERE, BELOW])('names the connection: %s%s', (...address) => {
    for (const name of ['linear', 'a.b-c_d', 'A1'])
      expect(connectionOfResource(...address, mcpResource(...address, name))).toBe(name);
  });

  it('is compared without the case of scheme and host, and without percent-encoding', () => {
    expect(connectionOfResource(...HERE, 'HTTPS://Gateway.Example.COM:443/api/mcp/linear')).toBe('linear');
    expect(connectionOfResource(...HERE, 'https://gateway.example.com/api/mcp/%6cinear')).toBe('linear');
  });

  it.each([
    'https://gateway.example.com/api/mcp/',
    'https://gateway.example.com/api/mcp',
    'https://gateway.example.com/api/mcp/linear/',
    'https://gateway.example.com/api/mcp/linear%2fother',
    'https://gateway.example.com/api/mcp/linear/../other/..',
    'https://gateway.example.com/API/mcp/linear',
    'https://gateway.example.com/api/mcp/linear?x',
    'https://gateway.example.com/api/mcp/linear#x',
    'https://gateway.example.com/api/mcp/%ff',
    'https://gateway.example.com\\api\\mcp\\linear',
    'https://gateway.example.com/api/mcp/lin\near',
    'https://user@gateway.example.com/api/mcp/linear',
    'https://:x@gateway.example.com/api/mcp/linear',
    'https://gateway.example.com.evil.example/api/mcp/linear',
    'https://gateway.example.com:444/api/mcp/linear',
    'http://gateway.example.com/api/mcp/linear',
    'https://gateway.example.com/gateway/api/mcp/linear',
    '//gateway.example.com/api/mcp/linear',
    '/api/mcp/linear',
    'linear',
    '',
  ])('is not %j', (resource) => expect(connectionOfResource(...HERE, resource)).toBeUndefined());
});
