// One file from Slack, with the bot's token: only from where Slack keeps files, never larger than allowed, never a page to sign in.

export interface Download {
  readonly token: string;
  /** Its origin may hold files too. */
  readonly apiUrl: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

/** What is wanted: Slack's own words about it tell a page apart from a file. */
export interface Wanted {
  readonly url: string;
  readonly mediaType: string;
  readonly size: number | undefined;
  readonly maxBytes: number;
}

export type Downloaded = Uint8Array | { readonly problem: 'elsewhere' | 'scope' | 'too-large' | 'unreachable' };

export async function download(wanted: Wanted, by: Download): Promise<Downloaded> {
  try {
    return await follow(wanted, by);
  } catch {
    return { problem: 'unreachable' };
  }
}

const mostRedirects = 3;

/** Redirects are followed by hand: the token goes only where it may. */
async function follow(wanted: Wanted, by: Download): Promise<Downloaded> {
  let url = URL.parse(wanted.url);
  for (let hop = 0; hop <= mostRedirects; hop++) {
    if (url === null || !isOfSlack(url, by.apiUrl)) return { problem: 'elsewhere' };
    const response = await by.fetch(url, {
      headers: { authorization: `Bearer ${by.token}` },
      redirect: 'manual',
      signal: by.signal,
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return readBody(response, wanted);
    await response.body?.cancel();
    url = URL.parse(location, url.href);
    if (isLogin(url)) return { problem: 'scope' };
  }
  return { problem: 'unreachable' };
}

function isOfSlack(url: URL, apiUrl: string): boolean {
  if (/^https?:$/.test(url.protocol) && url.origin === URL.parse(apiUrl)?.origin) return true;
  if (url.protocol !== 'https:' || url.port !== '') return false;
  return ['slack.com', 'files.slack.com'].includes(url.hostname) || url.hostname.endsWith('.slack-files.com');
}

/** Without the scope Slack sends to a page where people sign in, and then back. */
function isLogin(url: URL | null): boolean {
  return url !== null && (url.searchParams.has('redir') || /^\/(?:sign-?in|workspace-signin)\b/.test(url.pathname));
}

async function readBody(response: Response, wanted: Wanted): Promise<Downloaded> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    return { problem: response.status === 401 || response.status === 403 ? 'scope' : 'unreachable' };
  }
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '');
  if (isPage && wanted.mediaType !== 'text/html') {
    await response.body.cancel();
    return { problem: 'scope' };
  }
  const bytes = await readBounded(response.body, wanted.maxBytes);
  if (bytes === undefined) return { problem: 'too-large' };
  // A page was wanted, and came: it is the right one if it is as long as Slack said.
  return isPage && wanted.size !== undefined && wanted.size !== bytes.length ? { problem: 'scope' } : bytes;
}

/** What is said to be small may be large. */
async function readBounded(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
