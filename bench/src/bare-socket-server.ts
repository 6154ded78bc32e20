import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

/** The least that can carry a message from one socket to the others. */
const server = createServer();
const io = new Server(server, { transports: ['websocket'] });
io.on('connection', (socket) => {
  socket.on('say', (message) => socket.broadcast.emit('said', message));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
