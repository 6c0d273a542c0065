import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { guard, limitBody, localHosts, setHeaders } from './guard.ts';

const token = 'a-token-of-some-length';

function appWith(options: Parameters<typeof guard>[0]) {
  const app = new Hono();
  app.use(setHeaders, guard(options));
  app.use('/api/*', limitBody(100));
  app.get('/', (c) => c.text('page'));
  app.get('/api/thing', (c) => c.text('thing'));
  app.post('/api/thing', async (c) => c.json({ length: (await c.req.text()).length }));
  return app;
}

const at = (host: string, headers: Record<string, string> = {}) => ({ headers: { host, ...headers } });

describe('the studio on this machine', () => {
  const app = appWith({ hosts: localHosts });

  it.each(['127.0.0.1:4600', 'localhost:4600', '[::1]:4600', 'LOCALHOST'])('answers to %s', async (host) => {
    expect((await app.request('/api/thing', at(host))).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:4600',
    '127.0.0.1.evil.example',
    'localhost.evil.example:80',
    '0.0.0.0:4600',
    '',
    '192.168.0.7',
  ])('does not answer to %j, which another may have pointed here', async (host) => {
    const answer = await app.request('/api/thing', at(host));
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain('thing"');
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:4601' },
    { origin: 'http://localhost:4600' },
    { origin: 'null' },
    { origin: 'not an address' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  ])('refuses what another page asks: %j', async (headers) => {
    for (const method of ['GET', 'POST'])
      expect((await app.request('/api/thing', { method, ...at('127.0.0.1:4600', headers as never) })).status).toBe(403);
  });

  it('answers its own page, and a link to the page itself', async () => {
    const own = at('127.0.0.1:4600', { origin: 'http://127.0.0.1:4600', 'sec-fetch-site': 'same-origin' });
    expect((await app.request('/api/thing', { method: 'POST', body: 'x', ...own })).status).toBe(200);
    const link = at('127.0.0.1:4600', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
    expect((await app.request('/', link)).status).toBe(200);
  });

  it('limits bodies, whether or not they say how long they are', async () => {
    const body = 'x'.repeat(101);
    const host = { host: 'localhost' };
    const said = await app.request('/api/thing', {
      method: 'POST',
      body,
      headers: { ...host, 'content-length': '101' },
    });
    expect(said.status).toBe(413);
    const stream = new Blob([body]).stream();
    const silent = await app.request('/api/thing', {
      method: 'POST',
      body: stream,
      headers: host,
      duplex: 'half',
    } as RequestInit);
    expect(silent.status).toBe(413);
    const small = await app.request('/api/thing', { method: 'POST', body: 'x'.repeat(99), headers: host });
    expect(await small.json()).toEqual({ length: 99 });
  });

  it('sends a strict policy with every answer, refusals too', async () => {
    for (const host of ['localhost', 'evil.example']) {
      const { headers } = await app.request('/api/thing', at(host));
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('the studio on a network', () => {
  const app = appWith({ token });

  it.each([
    ['nothing', '/api/thing', {}],
    ['a wrong token', '/api/thing', { authorization: 'Bearer wrong' }],
    ['a wrong cookie', '/api/thing', { cookie: 'sceneshift-studio=wrong' }],
    ['the token in the address of something else than the page', `/api/thing?token=${token}`, {}],
    ['a wrong token in the address', '/?token=wrong', {}],
    ['an empty token', '/?token=', {}],
  ])('refuses %s', async (_, path, headers) => {
    expect((await app.request(path, at('box.example:4600', headers as never))).status).toBe(401);
  });

  it('takes the token once by the address and then by a cookie that scripts and other sites cannot use', async () => {
    const first = await app.request(`/?token=${token}`, at('box.example:4600'));
    expect(first.status).toBe(302);
    expect(first.headers.get('location')).toBe('./');
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    const then = await app.request('/api/thing', at('box.example:4600', { cookie: cookie.split(';')[0] }));
    expect(then.status).toBe(200);
    expect((await app.request('/api/thing', at('box.example', { authorization: `Bearer ${token}` }))).status).toBe(200);
  });

  it('still refuses other pages', async () => {
    const headers = { authorization: `Bearer ${token}`, origin: 'https://evil.example' };
    expect((await app.request('/api/thing', at('box.example:4600', headers))).status).toBe(403);
  });
});
