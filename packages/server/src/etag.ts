// Replies that a client may have already: it names the one it has, and is told when that still holds.

export interface Tagged {
  readonly body: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function toTagged(body: string, headers: Readonly<Record<string, string>>): Tagged {
  const etag = `"${process.getBuiltinModule('node:crypto').hash('sha256', body, 'base64url').slice(0, 27)}"`;
  return { body, etag, headers: { ...headers, etag } };
}

/** 304 without a body when the request says that it has this one. */
export function replyTagged({ body, etag, headers }: Tagged, request: Request): Response {
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}
