import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';

export interface GuardOptions {
  /** Names the server may be called by; undefined: any, because a token is asked for. */
  readonly hosts?: readonly string[];
  /** Asked for with every request where given. */
  readonly token?: string;
}

export const localHosts = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Bodies larger than this are refused unless a resource says otherwise. */
export const usualBodyBytes = 1 << 20;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers: Record<string, string> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};

export const setHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
};

/** Other web sites, and names that someone else's DNS points here, get nothing; nor does anyone without the token. */
export function guard({ hosts, token }: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host;
    if (hosts && !hosts.includes(hostname(host)))
      return c.text(`This studio is not called ${JSON.stringify(host)}; open it by the address it printed`, 403);
    if (!isOwnPage(c, host)) return c.text('Another site asked; only the studio’s own page may', 403);
    if (token !== undefined && !isKnown(c, token)) {
      const given = c.req.query('token');
      if (c.req.method !== 'GET' || c.req.path !== '/' || given === undefined || !same(given, token))
        return c.text('A token is needed: open the address that sceneshift studio printed', 401);
      setCookie(c, cookieName, token, { httpOnly: true, sameSite: 'Strict', path: '/' });
      return c.redirect('./');
    }
    return next();
  };
}

const cookieName = 'sceneshift-studio';

const hostname = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

function isOwnPage(c: Context, host: string): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined) return URL.canParse(origin) && new URL(origin).host === host;
  const site = c.req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  // A link on another site may open the page itself, which then asks for everything else on its own.
  return c.req.method === 'GET' && c.req.path === '/' && c.req.header('sec-fetch-mode') === 'navigate';
}

function isKnown(c: Context, token: string): boolean {
  const bearer = c.req.header('authorization')?.replace(/^Bearer /, '');
  return [getCookie(c, cookieName), bearer].some((given) => given !== undefined && same(given, token));
}

/** Compared in constant time, so that timing does not reveal where the token differs. */
const same = (given: string, token: string): boolean =>
  timingSafeEqual(...([given, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]));

export const limitBody = (maxBytes = usualBodyBytes): MiddlewareHandler =>
  bodyLimit({
    maxSize: maxBytes,
    onError: (c) => c.json({ error: `At most ${maxBytes} bytes can be sent here` }, 413),
  });
