// The page for people, as files that were made before: it needs no key itself, and reaches nobody but this server.

import type { Context, Next } from 'hono';
import type { Headend } from '../../app.ts';
import type { Inside } from '../../door.ts';
import type { Site, SiteFile } from './site-files.ts';

export function site(files: Site): Headend {
  return {
    name: 'site',
    mount() {},
    mountOutside(app) {
      app.use((context, next) => reply(files, context, next));
    },
  };
}

async function reply(files: Site, context: Context<Inside>, next: Next): Promise<Response | undefined> {
  const { method, path, raw } = context.req;
  const isRead = (method === 'GET' || method === 'HEAD') && ofPage.test(path);
  const file = isRead ? await files.read(toFilePath(path)) : undefined;
  if (!file) {
    await next();
    return undefined;
  }
  const { contentType } = file;
  const encoding = encodingFor(file, raw.headers.get('accept-encoding') ?? '');
  const etag = tagOf(file, encoding);
  const headers = { ...headersOf(path), 'content-type': contentType, etag, vary: 'accept-encoding' };
  const known = (raw.headers.get('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return new Response(null, { status: 304, headers });
  const bytes = await file.encodings[encoding]?.();
  const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  const sent = { ...headers, ...encoded, 'content-length': String(bytes?.length ?? 0) };
  return new Response(method === 'HEAD' || !bytes ? null : new Uint8Array(bytes), { headers: sent });
}

/** Where its files can be: whoever asks for anything else has nothing to do with them, also when they cannot be read. */
const ofPage = /^\/(?:$|assets\/|[\w-]+\.(?:html|js)$)/;

function toFilePath(path: string): string {
  return path === '/' ? 'index.html' : path.slice(1);
}

/** The shortest that the client takes. */
function encodingFor({ encodings }: SiteFile, accepted: string): string {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .flatMap((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
      return parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter)) ? [] : [name];
    });
  return ['br', 'gzip'].find((name) => name in encodings && taken.includes(name)) ?? 'identity';
}

/** Other bytes have another tag: who has the one and some of it may not go on with the other. */
function tagOf({ etag }: SiteFile, encoding: string): string {
  return encoding === 'identity' ? etag : etag.replace(/"$/, `-${encoding}"`);
}

function headersOf(path: string): Readonly<Record<string, string>> {
  const always = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
  // Names with a hash in them never mean anything else.
  if (/^\/assets\/.*-[\w-]{8}\.\w+$/.test(path))
    return { ...always, ...forPages, 'cache-control': 'public, max-age=31536000, immutable' };
  const fresh = { ...always, 'cache-control': 'no-cache' };
  if (path === '/' || path === '/index.html')
    return {
      ...fresh,
      'content-security-policy': pagePolicy,
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
    };
  if (path.endsWith('.html')) return { ...fresh, 'content-security-policy': framePolicy };
  return { ...fresh, ...forPages };
}

/** Scripts and styles of the widget are loaded by pages of others, which may want to see that these allow it. */
const forPages = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * By its hash, the line at the head of the page: files are beside it, so that its address has to end with a slash. Below a path of
 * somebody else only the browser knows whether it does.
 */
const sendsOn = "'sha256-IKNzpaR8WSMLlwLfqmwub+RDliIu4UpM0ODofKEopQs='";

const pagePolicy = [
  "default-src 'none'",
  `script-src 'self' ${sendsOn}`,
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** What draws diagrams writes styles of its own. It is shut off instead: it has no origin and reaches nobody. Pages with the widget frame it too. */
const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "font-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
  'sandbox allow-scripts',
].join('; ');
