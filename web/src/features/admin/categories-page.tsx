import type { Category } from '@lendtools/contracts';
import type { CsvColumn } from '@lendtools/contracts/csv';
import * as paths from '@lendtools/contracts/pages';
import { Button, Group } from '@mantine/core';
import { IconCategory, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { errorMessage } from '../../api/error-message.ts';
import { shortId } from '../../rental/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { ExportCsv } from '../../ui/export-csv.tsx';
import { FilterBar, SearchField, useListFilters } from '../../ui/list-filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { TableSkeleton } from '../../ui/paged-table.tsx';
import { type Column, ResponsiveTable } from '../../ui/responsive-table.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import classes from './admin.module.css';
import { useDeleteCategoryMutation } from './admin-api.ts';

const columns: Column<Category>[] = [
  { title: 'Id', cell: ({ id }) => <span title={id}>{shortId(id)}</span> },
  {
    title: 'Name',
    cell: ({ name, image }) => (
      <span className={classes.name}>
        <ToolPicture
          tool={{ name, cover_image: image }}
          className={classes.thumbnail}
          sizes="48px"
        />
        {name}
      </span>
    ),
    sortBy: ({ name }) => name.toLowerCase(),
    main: true,
  },
];

function CategoryActions({ category }: { category: Category }) {
  const [remove, { isLoading }] = useDeleteCategoryMutation();
  const deleteCategory = async () => {
    const question = 'Are you sure you want to delete this category?';
    if (!(await confirm(question, { title: category.name, confirm: 'Delete' }))) return;
    const { error } = await remove(category.id);
    if (error) return toastError(errorMessage(error, 'Failed to delete post'));
    toastSuccess('Category deleted successfully');
  };
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button
        component={Link}
        to={paths.ofId(paths.editCategory, category.id)}
        variant="light"
        size="sm"
        aria-label={`Details of ${category.name}`}
      >
        Details
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="sm"
        loading={isLoading}
        onClick={() => void deleteCategory()}
        aria-label={`Delete ${category.name}`}
      >
        Delete
      </Button>
    </Group>
  );
}

const csvColumns: CsvColumn<Category>[] = [
  { title: 'Id', value: ({ id }) => id },
  { title: 'Name', value: ({ name }) => name },
];

export default function CategoriesPage() {
  const { data: categories, error, refetch } = useCategoriesQuery();
  const { filters, set } = useListFilters(['q']);
  const words = filters.q.toLowerCase();
  const found = categories?.filter(({ name }) => name.toLowerCase().includes(words)) ?? [];
  return (
    <>
      <PageHeader
        title="All Rental Categories"
        action={
          <Button
            component={Link}
            to={paths.addCategory}
            leftSection={<IconPlus size={18} aria-hidden />}
          >
            Add New Rental Category
          </Button>
        }
      />
      {!categories && !error && <TableSkeleton />}
      {!categories && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {categories?.length === 0 && (
        <EmptyState icon={IconCategory} title="No categories yet">
          Add the first one: owners choose from these when they list a tool.
        </EmptyState>
      )}
      {categories && categories.length > 0 && (
        <>
          <FilterBar>
            <SearchField
              label="Search categories"
              placeholder="Name"
              value={filters.q}
              onSettled={(typed) => set('q', typed)}
            />
            <ExportCsv
              name="categories"
              columns={csvColumns}
              load={async () => ({ data: { rows: found, isCut: false } })}
            />
          </FilterBar>
          {found.length === 0 ? (
            <EmptyState icon={IconCategory} title="No categories found">
              Try part of a name.
            </EmptyState>
          ) : (
            <ResponsiveTable
              label="All rental categories"
              columns={columns}
              rows={found}
              rowKey={({ id }) => id}
              actions={(category) => <CategoryActions category={category} />}
            />
          )}
        </>
      )}
    </>
  );
}
