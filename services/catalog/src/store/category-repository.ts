import type { Category } from '@lendtools/contracts';
import { type Pool, type Transaction, violatedConstraint } from '@lendtools/service-kit';
import { categoryExists } from '../domain/errors.ts';

/** Each update increments `version`. */
type StoredCategory = Category & { version: number };

const columns = `id, name, coalesce(image, 'null') AS image`;

export const readCategories = async (pool: Pool): Promise<Category[]> => {
  const { rows } = await pool.query<Category>({
    name: 'list-categories',
    text: `SELECT ${columns} FROM categories ORDER BY lower(name)`,
  });
  return rows;
};

export const isCategoryKnown = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query('SELECT FROM categories WHERE id = $1', [id]);
  return rowCount !== 0;
};

const rejectSameName = (error: unknown): never => {
  throw violatedConstraint(error) === 'categories_name' ? categoryExists() : error;
};

export const insertCategory = async (
  tx: Transaction,
  category: { id: string; name: string; image: string | null },
): Promise<StoredCategory> => {
  const { rows } = await tx
    .query<StoredCategory>(
      `INSERT INTO categories (id, name, image) VALUES ($1, $2, $3) RETURNING ${columns}, version`,
      [category.id, category.name, category.image],
    )
    .catch(rejectSameName);
  return rows[0] as StoredCategory;
};

/** Updates the given fields. Returns undefined if the category does not exist. */
export const saveCategory = async (
  tx: Transaction,
  category: { id: string; name: string | undefined; image: string | undefined },
): Promise<StoredCategory | undefined> => {
  const { rows } = await tx
    .query<StoredCategory>(
      `UPDATE categories SET name = coalesce($2, name), image = coalesce($3, image), version = version + 1
       WHERE id = $1 RETURNING ${columns}, version`,
      [category.id, category.name, category.image],
    )
    .catch(rejectSameName);
  return rows[0];
};

/** Locks a category and returns its version. Requests that list a tool in the category wait for this lock. */
export const lockCategory = async (tx: Transaction, id: string): Promise<number | undefined> => {
  const { rows } = await tx.query<{ version: number }>(
    'SELECT version FROM categories WHERE id = $1 FOR UPDATE',
    [id],
  );
  return rows[0]?.version;
};

export const isCategoryUsed = async (tx: Transaction, id: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'SELECT FROM tools WHERE category_id = $1 AND removed_at IS NULL LIMIT 1',
    [id],
  );
  return rowCount !== 0;
};

export const removeCategory = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query('DELETE FROM categories WHERE id = $1', [id]);
};
