-- outside a transaction: on a table in use. The indexes of 0040 took its place. A replica from before 0040 names it in its INSERT, and
-- can hold no cart from now on until it is replaced.
DROP INDEX CONCURRENTLY IF EXISTS bookings_open_code;
