import type { Category } from '@lendtools/contracts';
import { type Pool, type Transaction, violatedConstraint } from '@lendtools/service-kit';
import { categoryExists } from './errors.ts';

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

const refuseSameName = (error: unknown): never => {
  throw violatedConstraint(error) === 'categories_name' ? categoryExists() : error;
};

export const insertCategory = async (
  tx: Transaction,
  category: { id: string; name: string; image: string | null },
): Promise<Category> => {
  const { rows } = await tx
    .query<Category>(
      `INSERT INTO categories (id, name, image) VALUES ($1, $2, $3) RETURNING ${columns}`,
      [category.id, category.name, category.image],
    )
    .catch(refuseSameName);
  return rows[0] as Category;
};

/** Changes what is given; undefined when the category does not exist. */
export const saveCategory = async (
  pool: Pool,
  category: { id: string; name: string | undefined; image: string | undefined },
): Promise<Category | undefined> => {
  const { rows } = await pool
    .query<Category>(
      `UPDATE categories SET name = coalesce($2, name), image = coalesce($3, image)
       WHERE id = $1 RETURNING ${columns}`,
      [category.id, category.name, category.image],
    )
    .catch(refuseSameName);
  return rows[0];
};

/** Deletes a category that no tool uses. A tool listed meanwhile waits for this lock, and then finds none. */
export const deleteUnusedCategory = async (
  tx: Transaction,
  id: string,
): Promise<'deleted' | 'in use' | 'unknown'> => {
  const category = await tx.query('SELECT FROM categories WHERE id = $1 FOR UPDATE', [id]);
  if (category.rowCount === 0) return 'unknown';
  const used = await tx.query(
    'SELECT FROM tools WHERE category_id = $1 AND removed_at IS NULL LIMIT 1',
    [id],
  );
  if (used.rowCount !== 0) return 'in use';
  await tx.query('DELETE FROM categories WHERE id = $1', [id]);
  return 'deleted';
};
