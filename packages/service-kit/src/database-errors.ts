/** PostgreSQL's codes for failed connections, passwords being changed, a read-only server and exhausted resources. */
const postgresOutage = /^(?:08...|25006|28(?:000|P01)|53[0-3]..|57P0[1-5]|58...)$/;
const networkOutage =
  /^(?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
/** The pg client's own errors have no code, so their messages are matched. */
const clientOutage =
  /Connection terminated|not queryable|Query read timeout|^timeout expired|timeout exceeded when trying to connect/i;
/** Errors of the MongoDB driver: server unreachable, timeouts, and writes that the replica set did not acknowledge. */
const mongoDriverOutage =
  /^Mongo(?:ose)?(?:Network|ServerSel|ServerClosed|ClientClosed|Pool|WaitQueue|NotConn|Topology|StalePrimary|WriteConcern|OperationTimeout)/;
const mongoOutages = new Set<unknown>([
  // Unreachable: HostUnreachable, HostNotFound, NetworkTimeout, SocketException.
  ...[6, 7, 89, 9_001],
  // Failover or shutdown: ShutdownInProgress, PrimarySteppedDown, NotWritablePrimary, InterruptedAtShutdown,
  // InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
  ...[91, 189, 10_107, 11_600, 11_602, 13_435, 13_436],
  // No majority acknowledgment: WriteConcernTimeout, UnsatisfiableWriteConcern.
  ...[64, 100],
  // Disk errors: FileStreamFailed, OutOfDiskSpace. Read-only: UserWritesBlocked.
  ...[39, 14_031, 371],
  // AuthenticationFailed (a password is being changed), TooManyFilesOpen, TemporarilyUnavailable.
  ...[18, 264, 365],
]);

/** Timeouts of a statement, a lock or a transaction, and the limit of temporary files. */
const postgresLimit = /^(?:57014|55P03|25P0[34]|53400)$/;
/** LockTimeout, MaxTimeMSExpired, ExceededTimeLimit, Interrupted. */
const mongoLimits = new Set<unknown>([24, 50, 262, 11_601]);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** True if the server or the connection failed, so that all work fails until it recovers. */
export const isDatabaseOutage = (error: unknown): boolean => {
  const { message, name, errorResponse } = (error ?? {}) as Partial<Error> & {
    errorResponse?: unknown;
  };
  // The MongoDB driver wraps the error that ended a bulk write.
  if (errorResponse instanceof Error) return isDatabaseOutage(errorResponse);
  const code = codeOf(error);
  if (mongoDriverOutage.test(name ?? '') || mongoOutages.has(code)) return true;
  if (typeof code !== 'string') return clientOutage.test(message ?? '');
  return postgresOutage.test(code) || networkOutage.test(code);
};

/** True if the database canceled only this work, because it took too long. */
export const isCutShort = (error: unknown): boolean => {
  const code = codeOf(error);
  return mongoLimits.has(code) || postgresLimit.test(String(code));
};

/** Returns the constraint's name for a unique, exclusion or foreign key violation. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' || code === '23P01' || code === '23503' ? constraint : undefined;
};

export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === 11_000;
