import { io, type Socket } from 'socket.io-client';
import { readAccessToken } from './access-token.ts';
import { emitLocally, onLive } from './live.ts';
import { watchedTool } from './watch-tool.ts';

const retryRenewalMs = 10_000;
/** The hub is full of visitors: there is no hurry. */
const retryWhenFullMs = 60_000;

/**
 * Opens the one socket of this tab. `renew` fetches a fresh access token where there is none yet, or where the hub
 * refused the old one; a visitor has none. The returned function closes the socket for good.
 */
export function connectLive(renew: (() => Promise<boolean>) | null): () => void {
  const socket: Socket = io({
    transports: ['websocket'],
    auth: (give) => give(renew ? { token: readAccessToken() } : {}),
    reconnectionDelayMax: 10_000,
    autoConnect: false,
  });
  let missedSome = false;
  let closed = false;

  const later = (work: () => unknown, ms: number) => setTimeout(() => closed || work(), ms);
  const comeAgain = async (): Promise<void> => {
    if (!renew) return void later(() => socket.connect(), retryWhenFullMs);
    const renewed = await renew();
    if (closed) return;
    if (renewed) socket.connect();
    else later(comeAgain, retryRenewalMs);
  };

  const watch = () => {
    const toolId = watchedTool();
    if (socket.connected)
      socket.emit('tool:watch', toolId, () => emitLocally('watching', { toolId }));
  };

  socket.onAny(emitLocally);
  const stopWatching = onLive('watch', watch);
  socket.on('connect', () => {
    emitLocally(missedSome ? 'reconnected' : 'connected', undefined);
    missedSome = true;
    if (watchedTool()) watch();
  });
  // `active` is false when the hub itself refused or dropped the socket; socket.io does not try again by itself then.
  // A new token helps where the old one has ended, and where there are too many sockets waiting does.
  socket.on('connect_error', ({ message }) => {
    missedSome = true;
    if (socket.active) return;
    if (message === 'TOO_MANY_SOCKETS') later(() => socket.connect(), retryWhenFullMs);
    else void comeAgain();
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') void comeAgain();
  });
  if (!renew || readAccessToken()) socket.connect();
  else void comeAgain();

  return () => {
    closed = true;
    stopWatching();
    socket.disconnect();
  };
}
