// Between a store and its database: cuts connections at the worst moment, and refuses others for a while.

import { connect, createServer, type Socket } from 'node:net';

export class Cutter {
  readonly #server = createServer((client) => this.#join(client));
  readonly #sockets = new Set<Socket>();
  readonly #to: number;
  #isArmed = false;
  /** Whether new connections are let through. */
  isOpen = true;
  cuts = 0;

  constructor(to: number) {
    this.#to = to;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** The next that is committed is committed, and nobody hears of it. */
  cutBehindCommit(): void {
    this.#isArmed = true;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    if (!this.isOpen) {
      client.destroy();
      return;
    }
    const database = connect(this.#to, '127.0.0.1');
    let isCommitting = false;
    const end = () => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (data) => {
      // Of what is written: the store tidies up as well, with a commit of its own.
      isCommitting = this.#isArmed && data.includes('; COMMIT');
      database.write(data);
    });
    database.on('data', (data) => {
      if (!isCommitting) {
        client.write(data);
        return;
      }
      this.#isArmed = false;
      this.cuts += 1;
      end();
    });
  }
}
