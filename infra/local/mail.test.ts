import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHome, type ServerContext } from './home.ts';
import { type MailServer, startMail } from './mail.ts';

let context: ServerContext;
let mail: MailServer;
beforeAll(async () => {
  context = await openHome({ home: mkdtempSync(join(tmpdir(), 'mail-')), say: () => {} });
  mail = await startMail(context);
});
afterAll(async () => {
  await context.supervisor.stopAll([['mail']]);
  rmSync(context.home, { recursive: true });
});

const live = '/socket.io/?EIO=4&transport=polling';

describe('mail catcher', () => {
  // maildev itself allows every website to read its inbox, so only the secret path protects the emails.
  it.each(['/email', live])('does not serve %s outside its secret path', async (path) => {
    const [known, guessed] = await Promise.all([
      fetch(mail.inbox + path),
      fetch(new URL(path, mail.inbox ?? '')),
    ]);

    expect([known.status, guessed.status]).toEqual([200, 404]);
  });
});
