// Where a request comes from, as its connection says: headers can be written by anybody.

const known = Symbol('the address of the connection');

type Addressed = Request & { [known]?: string | undefined };

/** To be called by whoever has the connection. */
export function withAddress(request: Request, address: string | undefined): Request {
  (request as Addressed)[known] = address;
  return request;
}

/**
 * What stands for one visitor: an address, or the network that one household has of version 6. Nothing where nobody knows, and
 * for addresses of this machine and of private networks: behind them may be a proxy, and everybody behind that.
 */
export function visitorAddressOf(request: Request): string | undefined {
  const address = (request as Addressed)[known]?.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
  if (address === undefined || isNear(address)) return undefined;
  return address.includes(':') ? networkOf(address) : address;
}

function isNear(address: string): boolean {
  return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe[89ab])/.test(address);
}

/** The first 64 bits; what is left out in the middle is zeros. */
function networkOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
