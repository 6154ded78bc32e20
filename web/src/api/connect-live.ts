import { io, type Socket } from 'socket.io-client';
import { readAccessToken } from './access-token.ts';
import { emitLocally, onLive } from './live.ts';
import { watchedTool } from './watch-tool.ts';

const retryRenewalMs = 10_000;
/** The pause before reconnecting when the realtime server has too many visitors. */
const retryWhenFullMs = 60_000;

/** Opens this tab's only socket; returns a function that closes it. `renew` fetches a token; null for visitors. */
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
  const retryConnect = async (): Promise<void> => {
    if (!renew) return void later(() => socket.connect(), retryWhenFullMs);
    const renewed = await renew();
    if (closed) return;
    if (renewed) socket.connect();
    else later(retryConnect, retryRenewalMs);
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
  // Reconnect here: socket.io does not (`active` is false) if the server itself rejected or dropped the socket.
  socket.on('connect_error', ({ message }) => {
    missedSome = true;
    if (socket.active) return;
    if (message === 'TOO_MANY_SOCKETS') later(() => socket.connect(), retryWhenFullMs);
    else void retryConnect();
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') void retryConnect();
  });
  if (!renew || readAccessToken()) socket.connect();
  else void retryConnect();

  return () => {
    closed = true;
    stopWatching();
    socket.disconnect();
  };
}
