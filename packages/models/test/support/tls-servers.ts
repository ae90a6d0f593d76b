// Servers that no client can establish a TLS connection to. Each function returns the address.

import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';

/** Closes each connection at the first bytes of the client. */
export function serveHangUps(): Promise<string> {
  return listen(createServer((socket) => void socket.once('data', () => socket.destroy())));
}

/** Presents a self-signed certificate. */
export function serveSelfSigned(): Promise<string> {
  const server = createTlsServer({ cert: toPem('CERTIFICATE', certificate), key: toPem('PRIVATE KEY', key) });
  return listen(server.on('tlsClientError', () => {}));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function toPem(label: string, base64: string): string {
  return [`-----BEGIN ${label}-----`, base64, `-----END ${label}-----`].join('\n');
}

/** For this test alone, valid for 100 years. */
const key = 'MC4CAQAwBQYDK2VwBCIEIHcB2tisq391iH75JGUtiBNMZ3yPeIHbqTSwG/vhkiVP';
const certificate =
  'MIIBPjCB8aADAgECAhRxW1qij+tmFrykkLjT0UyTEhZt1TAFBgMrZXAwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExOTE4' +
  'MDkyOFoYDzIxMjYxMDI2MTgwOTI4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwKjAFBgMrZXADIQDx144MRJZfRE5N4qI/MHhLdPkE' +
  'e67Ysdg5r4sPhiwh+qNTMFEwHQYDVR0OBBYEFG0V6evUUw2Np11lUtCohnYSGxsnMB8GA1UdIwQYMBaAFG0V6evUUw2Np11lUtCo' +
  'hnYSGxsnMA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EAw6syzjtj8YwwvFzKnMTLOyyTfiYwe4PmYK0LFLbXlnj76auadDSVkcHh' +
  'UX5lY3QxfQ03jXYfLl32kBX5dUwcCw==';
