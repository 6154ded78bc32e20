import type { Db } from '@lendtools/service-kit';

/** @returns Stripe's id of the user's customer */
export const findCustomer = async (db: Db, userId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ customerId: string }>(
    'SELECT customer_id AS "customerId" FROM customers WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.customerId;
};

/** Stores a user's customer, unless a concurrent request has stored another one. @returns the stored one */
export const storeCustomer = async (
  db: Db,
  userId: string,
  customerId: string,
): Promise<string> => {
  await db.query(
    'INSERT INTO customers (user_id, customer_id) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING',
    [userId, customerId],
  );
  return (await findCustomer(db, userId)) ?? customerId;
};

export const forgetCustomer = async (db: Db, customerId: string): Promise<void> => {
  await db.query('DELETE FROM customers WHERE customer_id = $1', [customerId]);
};
