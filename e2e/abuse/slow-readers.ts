import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { imageWidth, imageWidths } from '@lendtools/contracts';
import sharp from 'sharp';
import { marketplace } from '../src/marketplace.ts';
import { api, listTool, newPerson } from '../src/people.ts';
import { describe, observe, requestFrom } from './request-from.ts';

const readers = 512;
const forMs = 30_000;
/** Pipelined requests per client. Their replies exceed the kernel's buffers, so the service's connection stays busy. */
const requestsOfReader = 8;

const listLargePicture = async (): Promise<string> => {
  const side = 2_000;
  const noise = randomBytes(side * side * 3);
  const png = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
  const owner = await newPerson();
  const id = await listTool(owner, { cover_image: new Blob([new Uint8Array(png)]) });
  const { body } = await api().get(`/api/get-tool/${id}`);
  return imageWidth(body.tool[0].cover_image, imageWidths[2]);
};

const readSlowly = (localAddress: string, path: string, over: AbortSignal): void => {
  const { host, port } = new URL(marketplace().site);
  // Don't add a `data` listener: without one, data is only read by `socket.read`, and the kernel's buffers fill up.
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(requestsOfReader));
  const timer = setInterval(() => socket.read(1), 1_000);
  over.addEventListener('abort', () => {
    clearInterval(timer);
    socket.destroy();
  });
};

/** 512 clients of one network read a large picture at one byte a second, while another network browses. */
export const attackBySlowReaders = async (): Promise<boolean> => {
  const path = await listLargePicture();
  const browse = () => requestFrom('127.0.0.9', { path: '/api/all-rentals?page=1' });
  const bytes = (await requestFrom('127.0.0.9', { path })).body.length;
  const expected = 200;

  const quiet = await observe(browse, { over: AbortSignal.timeout(5_000), expected });
  const over = AbortSignal.timeout(forMs);
  for (let i = 0; i < readers; i++) readSlowly('127.0.0.2', path, over);
  await delay(2_000);
  const attacked = await observe(browse, { over, expected });

  console.log(`slow-readers: ${readers} of one network, ${requestsOfReader} × ${bytes} bytes each`);
  console.log(describe('browse of another network before', quiet));
  console.log(describe('browse of another network meanwhile', attacked));
  return attacked.failed === 0;
};
