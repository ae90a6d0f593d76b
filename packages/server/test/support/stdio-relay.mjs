// A program that serves tools on its streams, as a client starts it: whatever comes is carried to the socket it was given, and back.

import { connect } from 'node:net';

const socket = connect(process.argv[2]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
// The other end has gone, and so do we.
socket.once('close', () => process.exit(0));
socket.once('error', () => process.exit(1));
