import { routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { appealLinkInvalid } from '../../domain/errors.ts';
import { saveAppeal } from '../../store/report-repository.ts';

/** Needs no login: a reporter may have no account, and the author's may be disabled. */
export const appealDecision = ({ pool, cookie }: Deps) =>
  handle(routes.appealDecision, async ({ body, request }) => {
    cookie.rejectCrossSite(request, { byCookie: false });
    const isSaved = await inTransaction(pool, (tx) => saveAppeal(tx, body));
    if (!isSaved) throw appealLinkInvalid();
    return { message: 'Thank you. Someone on our team will review it again and email you.' };
  });
