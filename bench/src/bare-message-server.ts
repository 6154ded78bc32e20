import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'amqplib';
import { mongo } from 'mongoose';
import { Server } from 'socket.io';

/** A baseline for live messages: a durable insert, a confirmed publish to a quorum queue, and an emit to a socket. */
const [databaseUrl = '', brokerUrl = ''] = process.argv.slice(2);
const database = await new mongo.MongoClient(databaseUrl).connect();
const said = database.db('bench').collection('said', { writeConcern: { w: 'majority', j: true } });
const broker = await connect(brokerUrl, { noDelay: true });
const channel = await broker.createConfirmChannel();
const queue = 'bare-messages';
await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });

const server = createServer();
const io = new Server(server, { transports: ['websocket'] });
io.on('connection', (socket) => {
  socket.on('say', async (message: { text: string }) => {
    await said.insertOne({ ...message });
    channel.sendToQueue(queue, Buffer.from(JSON.stringify(message)), { persistent: true });
    await channel.waitForConfirms();
  });
});
await channel.consume(queue, (delivery) => {
  if (!delivery) return;
  channel.ack(delivery);
  io.emit('said', JSON.parse(delivery.content.toString()));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
