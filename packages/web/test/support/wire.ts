// The wire between a page and its server: it can be cut, and mended.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Wire {
  readonly url: string;
  /** What is connected is cut off, and nobody gets through. */
  cut(): void;
  mend(): void;
}

export async function layWire(port: number): Promise<Wire> {
  const ends = new Set<Socket>();
  let isCut = false;
  const join = (near: Socket, far: Socket) => {
    ends.add(near);
    near.on('error', () => far.destroy());
    near.on('close', () => ends.delete(near));
    near.pipe(far);
  };
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(port, '127.0.0.1');
    join(near, far);
    join(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const mend = () => {
    isCut = false;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cut, mend };
}
