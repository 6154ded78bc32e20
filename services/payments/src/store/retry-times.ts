/** In SQL, of a row with `tries`: the next try, 2 to 32 seconds later. */
export const retrySql = `now() + power(2, least(tries, 5)) * interval '1 second'`;

/** The next try under a fresh key. It first looks for the outcome of the last one, which may still be carried out. */
export const freshKeySql = `greatest(${retrySql}, now() + interval '1 minute')`;

/** How long a claim keeps other replicas away: 16 to 47 seconds, growing with the tries. */
export const leaseSql = `${retrySql} + interval '15 seconds'`;

/** The lease of a row that is inserted with its first try. */
export const firstLeaseSql = `now() + interval '17 seconds'`;
